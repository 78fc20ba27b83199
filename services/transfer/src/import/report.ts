import { type ImportJob, limits } from '@waymark/contracts';

export type Findings = Pick<ImportJob, 'issues' | 'issue_count' | 'warnings' | 'warning_count'>;

const PATH_CHARACTERS = 200;
const MESSAGE_CHARACTERS = 500;

/** What is wrong with a file: the first of it word for word, the rest counted. */
export interface Report extends Findings {
  issue(path: string, message: string): void;
  warn(path: string, message: string): void;
}

export function reportOf(known: Findings): Report {
  const cut = (text: string, max: number) =>
    (text.length > max ? `${text.slice(0, max)}…` : text).toWellFormed();
  const entry = (path: string, message: string) => ({
    path: cut(path, PATH_CHARACTERS),
    message: cut(message, MESSAGE_CHARACTERS),
  });
  const report: Report = {
    issues: [...known.issues],
    issue_count: known.issue_count,
    warnings: [...known.warnings],
    warning_count: known.warning_count,
    issue(path, message) {
      report.issue_count += 1;
      if (report.issues.length < limits.importIssues) report.issues.push(entry(path, message));
    },
    warn(path, message) {
      report.warning_count += 1;
      if (report.warnings.length < limits.importIssues) report.warnings.push(entry(path, message));
    },
  };
  return report;
}

export function findingsOf({ issues, issue_count, warnings, warning_count }: Report): Findings {
  return { issues, issue_count, warnings, warning_count };
}
