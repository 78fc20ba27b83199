import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { sentence } from '../../texts/format.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useApprovers } from '../../workspace/people.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { Setting, SettingFooter } from '../setting.tsx';

type Rules = Schemas['ApprovalRules'];
const MODES = ['advisory', 'enforced'] as const;
const ROLES = ['member', 'admin', 'owner'] as const;

/** How many approvals decisions need, and of whom. */
export function ApprovalRules() {
  const t = workspaceSettingsTexts.approvals;
  const { id: workspaceId } = useWorkspace();
  const rules = useQuery({
    queryKey: queryKeys.approvalRules(workspaceId),
    changesWith: [],
    queryFn: () => api.get('/approval-rules', { workspaceId }),
  });
  return (
    <Setting id="approvals" title={t.title}>
      <QueryState query={rules}>{(stored) => <RulesForm key={stored.version} stored={stored} />}</QueryState>
    </Setting>
  );
}

const entriesOf = ({ rules }: Rules) =>
  rules.map((rule) => ({
    decisionType: rule.decision_type ?? '',
    approvals: String(rule.approvals),
    role: rule.role,
    members: rule.members,
    mode: rule.mode,
    authorCounts: rule.author_counts,
  }));
type Entry = ReturnType<typeof entriesOf>[number];
const NEW: Entry = {
  decisionType: '',
  approvals: '1',
  role: 'member',
  members: [],
  mode: 'advisory',
  authorCounts: false,
};

function RulesForm({ stored }: { stored: Rules }) {
  const t = workspaceSettingsTexts.approvals;
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const able = useApprovers();
  const form = useForm({ initialValues: { rules: entriesOf(stored) } });
  const save = useChange({
    mutationFn: ({ rules }: { rules: Entry[] }) => {
      const headers = { 'If-Match': `"v${stored.version}"` };
      const body = {
        rules: rules.map(({ decisionType, approvals, ...rule }) => ({
          ...rule,
          decisionType: decisionType.trim() || null,
          approvals: Number(approvals),
        })),
      };
      return api.put('/approval-rules', { workspaceId, body }, { headers });
    },
    changes: [queryKeys.decisions(workspaceId)],
    isAtOnce: true,
    done: t.saved,
    onSuccess: (saved) => queryClient.setQueryData(queryKeys.approvalRules(workspaceId), saved),
  });
  return (
    <Form onSubmit={form.onSubmit((values) => save.mutate(values))} error={save.error}>
      {able.isError && <ProblemAlert error={able.error} retry={() => void able.refetch()} />}
      {form.values.rules.length === 0 && <Text size="sm">{t.none}</Text>}
      {form.values.rules.map((_, at) => {
        const given = (field: keyof Entry, type?: 'checkbox') =>
          form.getInputProps(`rules.${at}.${field}`, type && { type });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no id
          <Fieldset key={at} legend={t.rule(at + 1)}>
            <Stack gap="sm">
              <TextInput label={t.type} description={t.typeHint} {...given('decisionType')} />
              <TextInput label={t.count} required type="number" min={1} max={20} {...given('approvals')} />
              <NativeSelect
                label={t.role}
                data={ROLES.map((value) => ({ value, label: sentence(words.role[value]) }))}
                {...given('role')}
              />
              <Checkbox.Group label={t.members} {...given('members')}>
                <Group gap="sm" mt="xs" mah={200} style={{ overflowY: 'auto' }}>
                  {able.data?.map(({ id, name }) => (
                    <Checkbox key={id} value={id} label={name} />
                  ))}
                </Group>
              </Checkbox.Group>
              <NativeSelect
                label={t.mode}
                data={MODES.map((value) => ({ value, label: t.modes[value] }))}
                {...given('mode')}
              />
              <Checkbox label={t.authorCounts} {...given('authorCounts', 'checkbox')} />
              <Button
                variant="default"
                size="xs"
                style={{ alignSelf: 'start' }}
                onClick={() => form.removeListItem('rules', at)}
              >
                {t.remove(at + 1)}
              </Button>
            </Stack>
          </Fieldset>
        );
      })}
      <SettingFooter hint={t.hint}>
        <Button variant="default" onClick={() => form.insertListItem('rules', NEW)}>
          {t.add}
        </Button>
        <SubmitButton of={save} disabled={!form.isDirty()}>
          {t.save}
        </SubmitButton>
      </SettingFooter>
    </Form>
  );
}
