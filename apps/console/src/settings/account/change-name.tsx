import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { showUser } from '../../session/session-query.ts';
import { settingsAccountTexts as t } from '../../texts/settings-account.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Setting, SettingFooter } from '../setting.tsx';

export function ChangeName({ name }: { name: string }) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name } });
  const change = useMutation({
    mutationFn: (body: typeof form.values) => unwrap(api.PATCH('/auth/me', { body })),
    onSuccess: (user) => {
      showUser(queryClient, user);
      void queryClient.invalidateQueries({ queryKey: queryKeys.everyWorkspace });
      notifyDone(t.name.changed(user.name));
    },
  });
  return (
    <Setting id="change-name" title={ui.name}>
      <Form onSubmit={form.onSubmit((values) => change.mutate(values))} error={change.error} form={form}>
        <TextInput
          aria-label={ui.name}
          autoComplete="name"
          required
          maw={420}
          {...form.getInputProps('name')}
        />
        <SettingFooter hint={t.name.hint}>
          <SubmitButton of={change} disabled={form.values.name === name}>
            {t.name.change}
          </SubmitButton>
        </SettingFooter>
      </Form>
    </Setting>
  );
}
