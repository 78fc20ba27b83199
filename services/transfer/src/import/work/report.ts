import { type ImportJob, type Issue, limits } from '@waymark/contracts';

const PATH_CHARACTERS = 200;
const MESSAGE_CHARACTERS = 500;

export type Report = ReturnType<typeof createReport>;

/** Adds the faults of a file to its job: the first ones verbatim, and the number of all. */
export function createReport(job: Pick<ImportJob, 'issues' | 'issue_count' | 'warnings' | 'warning_count'>) {
  const cut = (text: string, max: number) =>
    (text.length > max ? `${text.slice(0, max)}…` : text).toWellFormed();
  const add = (list: Issue[], path: string, message: string) => {
    if (list.length >= limits.importIssues) return;
    list.push({ path: cut(path, PATH_CHARACTERS), message: cut(message, MESSAGE_CHARACTERS) });
  };
  return {
    issue(path: string, message: string): void {
      job.issue_count += 1;
      add(job.issues, path, message);
    },
    warn(path: string, message: string): void {
      job.warning_count += 1;
      add(job.warnings, path, message);
    },
    clear(): void {
      Object.assign(job, { issues: [], issue_count: 0, warnings: [], warning_count: 0 });
    },
  };
}
