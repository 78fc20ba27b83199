import { Button, Radio, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { changeWorkspaces } from '../../session/change-workspaces.ts';
import { signInMethodsQuery, type Workspace } from '../../session/session-query.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';

type Plan = Workspace['plan'];

const PLANS: { plan: Plan; label: string; description: string; hasKeys: boolean }[] = [
  {
    plan: 'free',
    label: 'Free',
    description: 'Everything except API keys and the audit log',
    hasKeys: false,
  },
  { plan: 'pro', label: 'Pro', description: 'The same as Free', hasKeys: false },
  { plan: 'business', label: 'Business', description: 'Adds API keys and the audit log', hasKeys: true },
  {
    plan: 'enterprise',
    label: 'Enterprise',
    description: 'Business with three times the requests per key and ten times per workspace',
    hasKeys: true,
  },
];
const hasKeys = (wanted: Plan) => PLANS.some(({ plan, hasKeys }) => plan === wanted && hasKeys);

/** The plan. An owner can change it if the operator of the installation allows that. */
export function PlanChoice() {
  const { id, plan, may } = useWorkspace();
  const { data: methods } = useQuery(signInMethodsQuery);
  const isOperators = methods?.plan_changes === 'operator';
  const [chosen, setChosen] = useState(plan);
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: Plan) =>
      unwrap(api.PUT('/workspaces/{id}/plan', { params: { path: { id } }, body: { plan: wanted } })),
    onSuccess: (changed) => {
      changeWorkspaces(queryClient, (known) => known.map((one) => (one.id === id ? changed : one)));
      void queryClient.invalidateQueries({ queryKey: queryKeys.workspace(id) });
      notifyDone(`The workspace is on the ${changed.plan} plan now.`);
    },
  });
  function submit() {
    if (!hasKeys(plan) || hasKeys(chosen)) return change.mutate(chosen);
    confirmDestruction({
      title: 'Change to a plan without API keys?',
      consequence:
        'Programs that use a key of this workspace are refused at once, until the plan changes again.',
      act: 'Change plan',
      onConfirm: () => change.mutate(chosen),
    });
  }
  return (
    <Stack component="section" aria-labelledby="plan">
      <Title order={2} size="h4" id="plan">
        Plan
      </Title>
      {change.isError && <ProblemAlert error={change.error} />}
      {may('owner') && !isOperators ? (
        <>
          <Radio.Group
            label="Plan of this workspace"
            value={chosen}
            onChange={(value) => setChosen(value as Plan)}
          >
            <Stack mt="xs" gap="xs">
              {PLANS.map(({ plan: value, label, description }) => (
                <Radio key={value} value={value} label={label} description={description} />
              ))}
            </Stack>
          </Radio.Group>
          <Button
            style={{ alignSelf: 'flex-start' }}
            disabled={chosen === plan}
            loading={change.isPending}
            onClick={submit}
          >
            Change plan
          </Button>
        </>
      ) : (
        <Text>
          {PLANS.find((one) => one.plan === plan)?.label}.{' '}
          {isOperators ? 'The operator of this installation' : 'An owner of the workspace'} can change it.
        </Text>
      )}
    </Stack>
  );
}
