import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { useLeaveWorkspace } from '../../workspace/use-leave-workspace.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { Setting, SettingFooter } from '../setting.tsx';

/** Ends the user's own membership. */
export function LeaveWorkspace() {
  const t = workspaceSettingsTexts.leave;
  const { id: workspaceId, name } = useWorkspace();
  const goOn = useLeaveWorkspace();
  const leave = useMutation({
    mutationFn: async () => {
      const { data } = await unwrap(api.GET('/workspaces'));
      const mine = data.find(({ id }) => id === workspaceId);
      // Somebody else has already removed the user.
      if (mine) await unwrap(api.DELETE('/members/{id}', { params: { path: { id: mine.member_id } } }));
    },
    onSuccess: () => goOn(workspaceId),
  });
  const ask = () => confirmDestruction({ ...t, title: t.ask(name), onConfirm: () => leave.mutate() });
  return (
    <Setting id="leave-workspace" title={t.title}>
      <Text size="sm">{t.hint}</Text>
      {leave.isError && <ProblemAlert error={leave.error} />}
      <SettingFooter hint={t.consequence}>
        <Button variant="default" loading={leave.isPending} onClick={ask}>
          {t.start}
        </Button>
      </SettingFooter>
    </Setting>
  );
}
