import { type ImportJob, type Issue, limits } from '@waymark/contracts';

export type Findings = Pick<ImportJob, 'issues' | 'issue_count' | 'warnings' | 'warning_count'>;

const PATH_CHARACTERS = 200;
const MESSAGE_CHARACTERS = 500;

/** The faults of a file: the first ones verbatim, and the number of all. */
export interface Report extends Findings {
  issue(path: string, message: string): void;
  warn(path: string, message: string): void;
  clear(): void;
}

export function createReport(known: Findings): Report {
  const cut = (text: string, max: number) =>
    (text.length > max ? `${text.slice(0, max)}…` : text).toWellFormed();
  const add = (list: Issue[], path: string, message: string) => {
    if (list.length >= limits.importIssues) return;
    list.push({ path: cut(path, PATH_CHARACTERS), message: cut(message, MESSAGE_CHARACTERS) });
  };
  const report: Report = {
    ...structuredClone(findingsOf(known)),
    issue(path, message) {
      report.issue_count += 1;
      add(report.issues, path, message);
    },
    warn(path, message) {
      report.warning_count += 1;
      add(report.warnings, path, message);
    },
    clear() {
      Object.assign(report, { issues: [], issue_count: 0, warnings: [], warning_count: 0 });
    },
  };
  return report;
}

export function findingsOf({ issues, issue_count, warnings, warning_count }: Findings): Findings {
  return { issues, issue_count, warnings, warning_count };
}
