import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { api } from '../api/client.ts';
import { useWorkspace } from '../session/use-workspace.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { Moment } from '../ui/text/moment.tsx';
import { WorkingBar } from '../ui/working-bar.tsx';

/** Verifies the whole chain and shows the result. */
export function VerifyChain() {
  const { id: workspaceId } = useWorkspace();
  const verify = useMutation({
    mutationFn: () => unwrap(api.GET('/audit-log/verify', { params: { query: { workspaceId } } })),
  });
  return (
    <>
      <Group gap="sm" mb="sm">
        <Button
          variant="default"
          leftSection={<ShieldCheck size={16} aria-hidden />}
          disabled={verify.isPending}
          onClick={() => verify.mutate()}
        >
          Verify chain
        </Button>
        <Text size="sm" c="dimmed">
          Recomputes every hash from the first entry and checks the signed head.
        </Text>
      </Group>
      {verify.isPending && <WorkingBar label="Verifying the chain" />}
      {verify.isError && <ProblemAlert error={verify.error} />}
      {verify.data && <Verdict result={verify.data} />}
    </>
  );
}

function Stopped({ stopped }: Pick<Schemas['AuditVerification'], 'stopped'>) {
  if (!stopped) return null;
  return (
    <Text size="sm">
      The chain accepts no entries since <Moment at={stopped.at} />; {stopped.held_events.toLocaleString()}{' '}
      events wait until the operator resumes it.
    </Text>
  );
}

function Verdict({ result }: { result: Schemas['AuditVerification'] }) {
  const { valid, entries, erased, head, fault, segments, stopped } = result;
  const count = entries.toLocaleString();
  if (!valid) {
    return (
      <Alert
        color="red"
        variant="outline"
        role="alert"
        icon={<ShieldAlert aria-hidden />}
        title={`The chain is broken${fault ? ` at entry ${fault.seq}` : ''}`}
      >
        {fault?.reason}. {count} entries before it are valid. Keep an export and tell the operator of this
        installation.
        <Stopped stopped={stopped} />
      </Alert>
    );
  }
  const isWhole = segments.length === 0 && !stopped;
  return (
    <Alert
      color={isWhole ? 'teal' : 'orange'}
      variant="outline"
      role="status"
      icon={isWhole ? <ShieldCheck aria-hidden /> : <ShieldAlert aria-hidden />}
      title={segments.length === 0 ? 'The chain is valid' : 'The chain is valid, but has gaps'}
    >
      <Text size="sm">
        {entries === 1 ? 'Its one entry is' : `All ${count} entries are`} as they were written
        {erased > 0 && `; the personal details of ${erased.toLocaleString()} were erased`}.
      </Text>
      {segments.map(({ after_seq, until_seq, at }) => (
        <Text key={until_seq} size="sm">
          Entries {after_seq + 1} to {until_seq} are not proven: they were lost or changed. An operator
          resumed the chain on <Moment at={at} />.
        </Text>
      ))}
      <Stopped stopped={stopped} />
      {head && (
        <Text size="sm">
          Head: entry {head.seq}, <Code>{head.hash}</Code>. Keep it: a later export must contain it.
        </Text>
      )}
    </Alert>
  );
}
