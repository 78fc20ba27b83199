import { Button, Group, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, hasCode } from '../../api/client.ts';
import { sessionQuery } from '../../session/session-query.ts';
import { authorizeTexts as t } from '../../texts/authorize.ts';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { type GrantRequest, isComplete } from './grant-request.ts';

const route = getRouteApi('/user/authorize');

/** Asks whether a program may use the MCP server in the person's name, if the server knows the program. */
export function AuthorizePage() {
  const request = route.useSearch();
  const { client_id: clientId = '', redirect_uri: redirectUri = '' } = request;
  const program = useQuery({
    queryKey: ['authorize', clientId, redirectUri],
    changesWith: [],
    queryFn: () => api.get('/auth/grant-request', { clientId, redirectUri }),
    enabled: isComplete(request),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { error } = program;
  const isRefused = !isComplete(request) || hasCode(error, 'VALIDATION_ERROR');
  return (
    <Page title={t.title} maxWidth={560}>
      {isRefused && <Text>{t.invalid}</Text>}
      {!isRefused && <QueryState query={program} />}
      {program.data && <Consent request={request} program={program.data} />}
    </Page>
  );
}

function Consent(props: { request: GrantRequest; program: { name: string; host: string } }) {
  const { request, program } = props;
  const { data } = useSuspenseQuery(sessionQuery);
  const form = useForm({ initialValues: { workspaceId: data.workspaces[0]?.id ?? '', access: 'read' } });
  const { client_id: clientId = '', redirect_uri: redirectUri = '', state } = request;
  const allow = useMutation({
    mutationFn: async ({ workspaceId, access }: typeof form.values) => {
      const scopes = access === 'write' ? (['read', 'write'] as const) : (['read'] as const);
      const body = {
        workspaceId,
        clientId,
        redirectUri,
        codeChallenge: request.code_challenge ?? '',
        codeChallengeMethod: 'S256' as const,
        ...(request.resource !== undefined && { resource: request.resource }),
        ...(state !== undefined && { state }),
        scopes: [...scopes],
      };
      return api.post('/auth/grants', { body });
    },
    onSuccess: ({ redirect_to }) => window.location.assign(redirect_to),
  });

  function decline(): void {
    const url = new URL(redirectUri);
    url.searchParams.set('error', 'access_denied');
    if (state !== undefined) url.searchParams.set('state', state);
    url.searchParams.set('iss', window.location.origin);
    window.location.assign(url);
  }

  return (
    <ChangeForm form={form} change={allow}>
      <Text>
        <bdi>{t.asks(program.name)}</bdi>
      </Text>
      <Text>{URL.canParse(clientId) ? t.publishedBy(new URL(clientId).host) : t.registered}</Text>
      <Text fw={600}>
        {program.host.endsWith(':') ? t.returnsToProgram(program.host) : t.returns(program.host)}
      </Text>
      <NativeSelect
        label={t.workspace}
        data={data.workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('workspaceId')}
      />
      <Radio.Group label={t.may} {...form.getInputProps('access')}>
        <Stack gap="xs" mt="xs">
          <Radio value="read" label={t.read} />
          <Radio value="write" label={t.write} />
        </Stack>
      </Radio.Group>
      <Text size="sm">{t.lasts}</Text>
      <Group>
        <SubmitButton of={allow}>{t.allow}</SubmitButton>
        <Button variant="default" onClick={decline}>
          {t.decline}
        </Button>
      </Group>
    </ChangeForm>
  );
}
