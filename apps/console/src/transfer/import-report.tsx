import { Alert, List, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { decisionPageTexts } from '../texts/decision-page.ts';
import { number } from '../texts/format.ts';
import { problemTexts } from '../texts/problem.ts';
import { transferTexts } from '../texts/transfer.ts';
import { TextLink } from '../ui/links.tsx';
import { scrollTo } from '../ui/list/scroll-to.ts';
import { expectedIn, type Field, labelOf } from './csv/csv-records.ts';
import type { Sheet } from './csv/use-csv.ts';

type Job = Schemas['ImportJob'];
type Kind = keyof Job['progress']['stored'];

/** The report of a check or an import: records by kind, and issues. Those of a table name its rows. */
export function ImportReport({ job, sheet }: { job: Job; sheet: Sheet | null }) {
  const t = transferTexts.report;
  const isFine = job.status === 'succeeded';
  return (
    <Alert
      ref={scrollTo}
      color={isFine ? 'teal' : 'red'}
      role={isFine ? 'status' : 'alert'}
      icon={isFine ? <CircleCheck /> : <CircleAlert />}
      title={titleOf(job)}
    >
      <Counts progress={job.progress} isDryRun={job.dry_run} />
      <Findings title={t.errors} findings={inRows(job.issues, sheet, expectedIn)} count={job.issue_count} />
      <Findings title={t.warnings} findings={inRows(job.warnings, sheet)} count={job.warning_count} />
      {job.progress.stored.decisions > 0 && (
        <TextLink size="sm" to="/w/$workspaceId/decisions" params={{ workspaceId: job.workspace_id }}>
          {decisionPageTexts.all}
        </TextLink>
      )}
    </Alert>
  );
}

/** Names the rows of a table, and says of an issue `inWords` what the cell must be. */
function inRows(findings: Job['issues'], sheet: Sheet | null, inWords?: typeof expectedIn): Job['issues'] {
  return findings.map(({ path, message }) => {
    const [, at, field] = /^decisions\.(\d+)(?:\.(\w+))?/.exec(path) ?? [];
    const found = sheet?.csv.rows[Number(at)];
    const said = problemTexts.ofApi(message);
    if (!sheet || !found) return { path, message: said };
    const column = sheet.fields.indexOf(field as Field);
    const expected = column < 0 ? null : inWords?.(field as Field, found.cells[column]);
    return {
      path: transferTexts.report.row(found.row, field && labelOf(field)),
      message: expected ?? said,
    };
  });
}

function titleOf({ status, dry_run, phase }: Job): string {
  const t = transferTexts.report;
  if (status === 'succeeded') return dry_run ? t.importable : t.imported;
  if (phase === 'writing') return t.stopped;
  return t.refused;
}

function Counts({ progress, isDryRun }: { progress: Job['progress']; isDryRun: boolean }) {
  const t = transferTexts.report;
  const { total, stored, present, left_out } = progress;
  const kinds = (Object.entries(total ?? {}) as [Kind, number][]).filter(([, count]) => count > 0);
  const isAnyLeftOut = Object.values(left_out).some((count) => count > 0);
  if (kinds.length === 0) return <Text size="sm">{t.noRecords}</Text>;
  return (
    <table className="table numbers" aria-label={t.table}>
      <thead>
        <tr>
          <th>{t.kind}</th>
          <th>{t.total}</th>
          {!isDryRun && <th>{t.stored}</th>}
          <th>{t.present}</th>
          {isAnyLeftOut && <th>{t.leftOut}</th>}
        </tr>
      </thead>
      <tbody>
        {kinds.map(([kind, count]) => (
          <tr key={kind}>
            <td className="sentence">{t.kinds[kind]}</td>
            <td>{number(count)}</td>
            {!isDryRun && <td>{number(stored[kind])}</td>}
            <td>{number(present[kind])}</td>
            {isAnyLeftOut && <td>{number(left_out[kind])}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Findings(props: { title: string; findings: Job['issues']; count: number }) {
  const t = transferTexts.report;
  const { title, findings, count } = props;
  if (count === 0) return null;
  return (
    <>
      <Text size="sm" fw={600} mt="sm">
        {t.count(title, count)}
      </Text>
      <List size="sm" mah={240} style={{ overflowY: 'auto' }} tabIndex={0} aria-label={title}>
        {findings.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            {path !== '' && <strong>{path}: </strong>}
            {message}
          </List.Item>
        ))}
      </List>
      {count > findings.length && <Text size="sm">{t.more(count - findings.length)}</Text>}
    </>
  );
}
