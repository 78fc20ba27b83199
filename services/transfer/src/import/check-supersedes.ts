import { limits } from '@waymark/contracts';
import type { ImportRow } from '../store/imports.ts';
import { recordOf } from './import-row.ts';
import type { Work } from './work.ts';

/**
 * Finds circles and over-long chains of supersedes links in a portion of decisions, all walked abreast; and links to what
 * the file does not have, which are no fault: the decision may have been deleted.
 */
export async function checkSupersedes({ job, store, report }: Work, rows: ImportRow[]): Promise<void> {
  const decisions = rows.map((row) => ({ seq: row.seq, ...recordOf('decisions', row) }));
  const linked = decisions.flatMap(({ supersedes, relates_to }) => [
    ...(supersedes ? [supersedes] : []),
    ...relates_to,
  ]);
  const known = await store.supersedesOf(job.id, [...new Set(linked)]);
  const lost = job.ids === 'keep' ? 'is not in the file' : 'is not in the file, and is left out';
  let walks: { seq: number; at: string }[] = [];
  for (const { seq, supersedes, relates_to } of decisions) {
    for (const [i, id] of relates_to.entries()) {
      if (!known.has(id)) report.warn(`decisions.${seq}.relates_to.${i}`, lost);
    }
    if (supersedes === null) continue;
    if (known.has(supersedes)) walks.push({ seq, at: supersedes });
    else report.warn(`decisions.${seq}.supersedes`, lost);
  }
  for (let steps = 1; walks.length > 0 && steps <= limits.supersedesChain; steps += 1) {
    const next = await store.supersedesOf(job.id, [...new Set(walks.map(({ at }) => at))]);
    walks = walks.flatMap(({ seq, at }) => {
      const further = next.get(at);
      return further ? [{ seq, at: further }] : [];
    });
  }
  for (const { seq } of walks) {
    const max = limits.supersedesChain;
    report.issue(
      `decisions.${seq}.supersedes`,
      `supersedes itself over others, or more than ${max} in a row`,
    );
  }
}
