import { Button, Code, Group, NativeSelect, Text } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap, WaymarkError } from '../../api/client.ts';
import { sessionQuery } from '../../session/session-query.ts';
import { cliLoginTexts as t } from '../../texts/cli-login.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { answerAddress, type CliProgram, type CliRequest, programOf } from './cli-request.ts';

const route = getRouteApi('/user/cli-login');
const DAYS = 90;
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
  const { data } = useSuspenseQuery(sessionQuery);
  const workspaces = data.workspaces.filter(({ role }) => role === 'owner' || role === 'admin');
  const [chosen, setChosen] = useState(workspaces[0]?.id ?? '');
  const create = useMutation({
    mutationFn: async (workspaceId: string) => {
      const expiresAt = new Date(Date.now() + DAYS * DAY_MS).toISOString();
      const scopes = request.scope === 'write' ? (['read', 'write'] as const) : (['read'] as const);
      const name = t.keyName(request.host);
      const body = { workspaceId, name, scopes: [...scopes], expiresAt, allowedIps: [] };
      const { key } = await unwrap(api.POST('/api-keys', { body }));
      return program.seal(key ?? '');
    },
    onSuccess: (key) => window.location.assign(answerAddress(request, { key })),
  });
  const isGated = create.error instanceof WaymarkError && create.error.code === 'PLAN_GATE';
  const error = workspaces.length === 0 ? 'role' : isGated ? 'plan' : 'denied';
  return (
    <Form error={create.error} onSubmit={() => create.mutate(chosen)}>
      <Text>{t.asks(request.host)}</Text>
      <Text>{t.compare}</Text>
      <Code block fz="xl" aria-label={t.code}>
        {program.code}
      </Code>
      {workspaces.length === 0 && <Text>{t.role}</Text>}
      {workspaces.length > 0 && (
        <>
          <NativeSelect
            label={t.workspace}
            data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <Text size="sm">
            {t.may[request.scope]} {t.validFor(DAYS)}
          </Text>
        </>
      )}
      <Group>
        {workspaces.length > 0 && <SubmitButton of={create}>{t.allow}</SubmitButton>}
        <Button variant="default" onClick={() => window.location.assign(answerAddress(request, { error }))}>
          {t.decline}
        </Button>
      </Group>
    </Form>
  );
}
