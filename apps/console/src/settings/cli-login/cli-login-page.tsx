import { Code, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, hasCode } from '../../api/client.ts';
import { cliLoginTexts as t } from '../../texts/cli-login.ts';
import { Page } from '../../ui/page.tsx';
import { answerAddress, type CliProgram, programOf } from './cli-program.ts';
import type { CliRequest } from './cli-request.ts';
import { KEY_DAYS, KeyConsent, type KeyGiven } from './key-consent.tsx';

const route = getRouteApi('/user/cli-login');
const DAY_MS = 86_400_000;

/** Creates a key for `waymark login` and hands it over, encrypted, to the program on this machine. */
export function CliLoginPage() {
  const request = route.useSearch();
  const isComplete = request.port > 0;
  const program = useQuery({
    queryKey: ['cli-login', request.publicKey],
    changesWith: [],
    queryFn: () => programOf(request),
    enabled: isComplete && window.isSecureContext,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page title={t.title} maxWidth={560}>
      {(!isComplete || program.isError) && <Text>{t.invalid}</Text>}
      {isComplete && !window.isSecureContext && <Text>{t.insecure}</Text>}
      {program.data && <Confirmation request={request} program={program.data} />}
    </Page>
  );
}

function Confirmation({ request, program }: { request: CliRequest; program: CliProgram }) {
  const create = useMutation({
    mutationFn: async (given: KeyGiven) => {
      const expiresAt = new Date(Date.now() + KEY_DAYS * DAY_MS).toISOString();
      const scopes = request.scope === 'write' ? (['read', 'write'] as const) : (['read'] as const);
      const name = t.keyName(request.host);
      const body = { ...given, name, scopes: [...scopes], expiresAt, allowedIps: [] };
      const { key } = await api.post('/api-keys', { body });
      return program.seal(key ?? '');
    },
    onSuccess: (key) => window.location.assign(answerAddress(request, { key })),
  });
  const isGated = hasCode(create.error, 'PLAN_GATE');
  return (
    <KeyConsent
      scope={request.scope}
      create={create}
      onDecline={(reason) =>
        window.location.assign(answerAddress(request, { error: isGated ? 'plan' : reason }))
      }
    >
      <Text>{t.asks(request.host)}</Text>
      <Text>{t.compare}</Text>
      <Code block fz="xl" aria-label={t.code}>
        {program.code}
      </Code>
    </KeyConsent>
  );
}
