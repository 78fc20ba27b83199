import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { api, type Schemas } from '../api/client.ts';
import { auditTexts as t } from '../texts/audit.ts';
import { Hint } from '../ui/text/hint.ts';
import { Moment } from '../ui/text/moment.tsx';
import { WorkingBar } from '../ui/working-bar.tsx';
import { useWorkspace } from '../workspace/use-workspace.ts';

/** Verifies the whole chain and shows the result. */
export function VerifyChain() {
  const { id: workspaceId } = useWorkspace();
  const verify = useMutation({
    mutationFn: () => api.get('/audit-log/verify', { workspaceId }),
  });
  return (
    <>
      <Group gap="sm" mb="sm">
        <Button
          variant="default"
          leftSection={<ShieldCheck size={16} />}
          disabled={verify.isPending}
          onClick={() => verify.mutate()}
        >
          {t.verify}
        </Button>
        <Hint>{t.verifyHint}</Hint>
      </Group>
      {verify.isPending && <WorkingBar label={t.verifying} />}
      {verify.data && <Verdict result={verify.data} />}
    </>
  );
}

function Stopped({ stopped }: Pick<Schemas['AuditVerification'], 'stopped'>) {
  if (!stopped) return null;
  return (
    <Text size="sm">{t.stopped(stopped.held_events, <Moment at={stopped.at} precision="second" />)}</Text>
  );
}

function Verdict({ result }: { result: Schemas['AuditVerification'] }) {
  const { valid, entries, erased, head, fault, segments, stopped } = result;
  if (!valid) {
    return (
      <Alert color="red" role="alert" icon={<ShieldAlert />} title={fault ? t.brokenAt(fault.seq) : t.broken}>
        {t.brokenHint(fault?.reason ?? '', entries)}
        <Stopped stopped={stopped} />
      </Alert>
    );
  }
  const isWhole = segments.length === 0 && !stopped;
  return (
    <Alert
      color={isWhole ? 'teal' : 'orange'}
      role="status"
      icon={isWhole ? <ShieldCheck /> : <ShieldAlert />}
      title={segments.length === 0 ? t.valid : t.validWithGaps}
    >
      <Text size="sm">
        {t.asWritten(entries)} {erased > 0 && t.erased(erased)}
      </Text>
      {segments.map(({ after_seq, until_seq, at }) => (
        <Text key={until_seq} size="sm">
          {t.gap(after_seq + 1, until_seq, <Moment at={at} />)}
        </Text>
      ))}
      <Stopped stopped={stopped} />
      {head && <Text size="sm">{t.head(head.seq, <Code>{head.hash}</Code>)}</Text>}
    </Alert>
  );
}
