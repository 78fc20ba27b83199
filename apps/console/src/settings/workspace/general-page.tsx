import { Anchor, Button, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { sessionQuery, type Workspace } from '../../session/session-query.ts';
import { settingsTexts as settings } from '../../texts/settings.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { useAuditFacets } from '../../workspace/audit-facets.ts';
import { changeWorkspaces } from '../../workspace/change-workspaces.ts';
import { useLeaveWorkspace } from '../../workspace/use-leave-workspace.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { ApprovalRules } from './approval-rules.tsx';
import { DeleteWorkspace } from './delete-workspace.tsx';
import { PlanChoice } from './plan-choice.tsx';

export function GeneralPage() {
  const { id, name, role, may } = useWorkspace();
  return (
    <Page title={settings.title}>
      <Stack gap="xl">
        {may('admin') ? (
          <RenameWorkspace key={id} />
        ) : (
          <Text>{workspaceSettingsTexts.roleIn(words.role[role], name)}</Text>
        )}
        <PlanChoice />
        {may('admin') && <QualityModelChoice />}
        {may('admin') && <HiddenForecasts />}
        {may('admin') && <RequireSecondFactor />}
        {may('admin') && <ApprovalRules />}
        <DataRetention />
        <LeaveWorkspace />
        {may('owner') && <DeleteWorkspace />}
      </Stack>
    </Page>
  );
}

/** Changes settings of the open workspace; `done` says so. */
function useChangeWorkspace(done: (changed: Workspace) => string) {
  const { id } = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['WorkspaceUpdate']) => api.patch('/workspaces/{id}', { id, body }),
    onSuccess: (changed) => {
      changeWorkspaces(queryClient, (known) => known.map((one) => (one.id === id ? changed : one)));
      notifyDone(done(changed));
    },
  });
}

/** Says how long the workspace's audit log is kept; only the operator can change it. */
function DataRetention() {
  const t = workspaceSettingsTexts.retention;
  const facets = useAuditFacets();
  if (!facets) return null;
  const { retention_days: days } = facets;
  return (
    <Setting id="data-retention" title={t.title}>
      <Text size="sm">
        {days === null ? t.unlimited : t.days(days)} {t.others}
      </Text>
      <SettingFooter hint={t.hint} />
    </Setting>
  );
}

function RenameWorkspace() {
  const { id, name } = useWorkspace();
  const form = useForm({ initialValues: { name } });
  const rename = useChangeWorkspace((renamed) => workspaceSettingsTexts.renamed(renamed.name));
  return (
    <Setting id="rename-workspace" title={ui.name}>
      <ChangeForm form={form} change={rename}>
        <TextInput aria-label={ui.name} required maw={420} {...form.getInputProps('name')} />
        <SettingFooter hint={workspaceSettingsTexts.idOf(id)}>
          <SubmitButton of={rename} disabled={form.values.name === name}>
            {ui.rename}
          </SubmitButton>
        </SettingFooter>
      </ChangeForm>
    </Setting>
  );
}

/** Chooses how the quality of decisions is scored from now on. */
function QualityModelChoice() {
  const t = workspaceSettingsTexts.quality;
  const { quality_model } = useWorkspace();
  const chooseModel = useChangeWorkspace(() => t.isChanged);
  return (
    <Setting id="quality-model" title={t.title}>
      <NativeSelect
        label={t.label}
        data={Object.entries(t.models).map(([value, label]) => ({ value, label }))}
        value={quality_model}
        disabled={chooseModel.isPending}
        onChange={({ currentTarget }) =>
          chooseModel.mutate({ qualityModel: currentTarget.value as typeof quality_model })
        }
      />
      <SettingFooter hint={t.hint}>
        <Anchor href="/docs/score" size="sm">
          {t.about}
        </Anchor>
      </SettingFooter>
    </Setting>
  );
}

/** Hides the forecasts of a decision from people who have not given one, or no longer. */
function HiddenForecasts() {
  const t = workspaceSettingsTexts.forecasts;
  const { hidden_forecasts } = useWorkspace();
  const hide = useChangeWorkspace(({ hidden_forecasts: are }) => (are ? t.areHidden : t.areShown));
  return (
    <Setting id="hidden-forecasts" title={t.title}>
      <Switch
        label={t.label}
        checked={hidden_forecasts}
        disabled={hide.isPending}
        onChange={({ currentTarget }) => hide.mutate({ hiddenForecasts: currentTarget.checked })}
      />
      <SettingFooter hint={t.hint}>
        <Anchor href="/docs/calibration" size="sm">
          {t.about}
        </Anchor>
      </SettingFooter>
    </Setting>
  );
}

/** Lets the workspace require a second factor of its members, or no longer. */
function RequireSecondFactor() {
  const t = workspaceSettingsTexts.secondFactor;
  const { require_second_factor: isRequired } = useWorkspace();
  const { data } = useSuspenseQuery(sessionQuery);
  const requireFactor = useChangeWorkspace(({ require_second_factor: is }) =>
    is ? t.isRequired : t.isNotRequired,
  );
  return (
    <Setting id="second-factor" title={t.title}>
      <Text size="sm">{isRequired ? t.isRequired : t.isNotRequired}</Text>
      {!data.second_factor && (
        <Text size="sm">{t.yoursFirst(<TextLink to="/account">{t.account}</TextLink>)}</Text>
      )}
      <SettingFooter hint={t.hint}>
        <Button
          variant="default"
          disabled={!data.second_factor}
          loading={requireFactor.isPending}
          onClick={() => requireFactor.mutate({ requireSecondFactor: !isRequired })}
        >
          {isRequired ? t.release : t.require}
        </Button>
      </SettingFooter>
    </Setting>
  );
}

/** Ends the user's own membership. */
function LeaveWorkspace() {
  const t = workspaceSettingsTexts.leave;
  const { id: workspaceId, name } = useWorkspace();
  const goOn = useLeaveWorkspace();
  const leave = useMutation({
    mutationFn: async () => {
      const { data } = await api.get('/workspaces');
      const mine = data.find(({ id }) => id === workspaceId);
      // Somebody else has already removed the user.
      if (mine) await api.delete('/members/{id}', { id: mine.member_id });
    },
    onSuccess: () => goOn(workspaceId),
  });
  const ask = () => confirmDestruction({ ...t, title: t.ask(name), onConfirm: () => leave.mutate() });
  return (
    <Setting id="leave-workspace" title={t.title}>
      <Text size="sm">{t.hint}</Text>
      <SettingFooter hint={t.consequence}>
        <Button variant="default" loading={leave.isPending} onClick={ask}>
          {t.start}
        </Button>
      </SettingFooter>
    </Setting>
  );
}
