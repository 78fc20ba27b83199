import { Button, Radio, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { planFeatures, plans } from '@waymark/client/facts';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { signInMethodsQuery, type Workspace } from '../../session/session-query.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { useChange } from '../../ui/use-change.ts';
import { changeWorkspaces } from '../../workspace/change-workspaces.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { Setting, SettingFooter } from '../setting.tsx';

type Plan = Workspace['plan'];

const hasKeys = (plan: Plan) => (planFeatures.api_keys as readonly Plan[]).includes(plan);

/** The plan. An owner can change it if the operator of the installation allows that. */
export function PlanChoice() {
  const t = workspaceSettingsTexts.plan;
  const { id, plan, may } = useWorkspace();
  const { data: methods } = useQuery(signInMethodsQuery);
  const isOperators = methods?.plan_changes === 'operator';
  const [chosen, setChosen] = useState(plan);
  const queryClient = useQueryClient();
  const change = useChange({
    mutationFn: (wanted: Plan) => api.put('/workspaces/{id}/plan', { id, body: { plan: wanted } }),
    changes: [queryKeys.workspace(id)],
    isAtOnce: true,
    done: (changed) => t.changed(changed.plan),
    onSuccess: (changed) =>
      changeWorkspaces(queryClient, (known) => known.map((one) => (one.id === id ? changed : one))),
  });
  function submit() {
    if (!hasKeys(plan) || hasKeys(chosen)) return change.mutate(chosen);
    confirmDestruction({
      title: t.askToLoseKeys,
      consequence: t.loseKeysHint,
      act: t.change,
      onConfirm: () => change.mutate(chosen),
    });
  }
  return (
    <Setting id="plan" title={t.title}>
      {may('owner') && !isOperators ? (
        <>
          <Radio.Group label={t.choose} value={chosen} onChange={(value) => setChosen(value as Plan)}>
            <Stack mt="xs" gap="xs">
              {plans.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={t.plans[value].name}
                  description={t.plans[value].about}
                />
              ))}
            </Stack>
          </Radio.Group>
          <SettingFooter hint={t.hint}>
            <Button disabled={chosen === plan} loading={change.isPending} onClick={submit}>
              {t.change}
            </Button>
          </SettingFooter>
        </>
      ) : (
        <>
          <Text size="sm">
            {t.plans[plan].name}: {t.plans[plan].about}
          </Text>
          <SettingFooter hint={isOperators ? t.operatorChanges : t.ownerChanges} />
        </>
      )}
    </Setting>
  );
}
