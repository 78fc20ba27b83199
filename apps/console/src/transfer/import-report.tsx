import { Alert, List, Table, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { CircleAlert, CircleCheck } from 'lucide-react';

type Job = Schemas['ImportJob'];
type Kind = keyof Job['progress']['stored'];

/** The report of a check or an import: records by kind, and issues. */
export function ImportReport({ job }: { job: Job }) {
  const isFine = job.status === 'succeeded';
  return (
    <Alert
      variant="outline"
      color={isFine ? 'teal' : 'red'}
      role={isFine ? 'status' : 'alert'}
      icon={isFine ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
      title={titleOf(job)}
    >
      <Counts progress={job.progress} isDryRun={job.dry_run} />
      <Findings title="Errors" findings={job.issues} count={job.issue_count} />
      <Findings title="Warnings" findings={job.warnings} count={job.warning_count} />
    </Alert>
  );
}

function titleOf({ status, dry_run, phase }: Job): string {
  if (status === 'succeeded') return dry_run ? 'The file can be imported' : 'The file is imported';
  if (phase === 'writing') return 'The import stopped halfway. Import the same file again to continue.';
  return 'The file cannot be imported. Nothing was stored.';
}

function Counts({ progress, isDryRun }: { progress: Job['progress']; isDryRun: boolean }) {
  const { total, stored, present, left_out } = progress;
  const kinds = (Object.entries(total ?? {}) as [Kind, number][]).filter(([, count]) => count > 0);
  const isAnyLeftOut = Object.values(left_out).some((count) => count > 0);
  if (kinds.length === 0) return <Text size="sm">No records.</Text>;
  return (
    <Table verticalSpacing={4} aria-label="Records of the file">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Records</Table.Th>
          <Table.Th ta="end">In the file</Table.Th>
          {!isDryRun && <Table.Th ta="end">Stored</Table.Th>}
          <Table.Th ta="end">Here already</Table.Th>
          {isAnyLeftOut && <Table.Th ta="end">Left out</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {kinds.map(([kind, count]) => (
          <Table.Tr key={kind}>
            <Table.Td>{kind}</Table.Td>
            <Table.Td ta="end">{count}</Table.Td>
            {!isDryRun && <Table.Td ta="end">{stored[kind]}</Table.Td>}
            <Table.Td ta="end">{present[kind]}</Table.Td>
            {isAnyLeftOut && <Table.Td ta="end">{left_out[kind]}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Findings(props: { title: string; findings: Job['issues']; count: number }) {
  const { title, findings, count } = props;
  if (count === 0) return null;
  return (
    <>
      <Text size="sm" fw={600} mt="sm">
        {title} ({count.toLocaleString()})
      </Text>
      <List size="sm" mah={240} style={{ overflowY: 'auto' }} tabIndex={0} aria-label={title}>
        {findings.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <strong>{path}</strong>: {message}
          </List.Item>
        ))}
      </List>
      {count > findings.length && (
        <Text size="sm">And {(count - findings.length).toLocaleString()} more.</Text>
      )}
    </>
  );
}
