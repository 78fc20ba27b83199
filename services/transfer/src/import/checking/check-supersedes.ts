import { limits } from '@waymark/contracts';
import type { ImportRow } from '../../store/index.ts';
import { recordOf } from '../reading/import-row.ts';
import type { Work } from '../work.ts';

/** On the way along supersedes links from a decision of the file. */
interface Walk {
  seq: number;
  at: string;
}

/** What each of some decisions supersedes. */
type Links = ReadonlyMap<string, string | null>;

/**
 * Finds circles and over-long chains of supersedes links in a portion of decisions, in the file and together with what the
 * workspace has; and links to what the file does not have, which are no fault: the decision may have been deleted.
 */
export async function checkSupersedes(work: Work, rows: ImportRow[]): Promise<void> {
  const { job, store, report } = work;
  const decisions = rows.map((row) => ({ seq: row.seq, ...recordOf('decisions', row) }));
  const linked = decisions.flatMap(({ supersedes, relates_to }) => [
    ...(supersedes ? [supersedes] : []),
    ...relates_to,
  ]);
  const known = await store.supersedesOf(job.id, [...new Set(linked)]);
  const lost = job.ids === 'keep' ? 'is not in the file' : 'is not in the file, and is left out';
  const walks: Walk[] = [];
  for (const { seq, supersedes, relates_to } of decisions) {
    for (const [i, id] of relates_to.entries()) {
      if (!known.has(id)) report.warn(`decisions.${seq}.relates_to.${i}`, lost);
    }
    if (supersedes === null) continue;
    if (!known.has(supersedes)) report.warn(`decisions.${seq}.supersedes`, lost);
    walks.push({ seq, at: supersedes });
  }
  const endless = new Set(await endlessAmong(walks, (ids) => store.supersedesOf(job.id, ids)));
  if (job.ids === 'keep' && walks.length > 0) {
    const here = await linksHere(
      work,
      decisions.map(({ id }) => id),
    );
    const isHere = new Set(decisions.filter(({ id }) => here.has(id)).map(({ seq }) => seq));
    const fresh = walks.filter(({ seq }) => !isHere.has(seq));
    for (const seq of await endlessAmong(fresh, (ids) => linksAfter(work, ids))) endless.add(seq);
  }
  for (const seq of endless) {
    const max = limits.supersedesChain;
    report.issue(
      `decisions.${seq}.supersedes`,
      `supersedes itself over others, or more than ${max} in a row`,
    );
  }
}

/** Those that go on for longer than a chain may, all walked abreast. */
async function endlessAmong(
  given: readonly Walk[],
  linksOf: (ids: string[]) => Promise<Links>,
): Promise<number[]> {
  let walks = [...given];
  for (let steps = 1; walks.length > 0 && steps <= limits.supersedesChain; steps += 1) {
    const next = await linksOf([...new Set(walks.map(({ at }) => at))]);
    walks = walks.flatMap(({ seq, at }) => {
      const further = next.get(at);
      return further ? [{ seq, at: further }] : [];
    });
  }
  return walks.map(({ seq }) => seq);
}

/** As the workspace will have them: what is here stays as it is, and may name what was deleted and comes back with the file. */
async function linksAfter(work: Work, ids: string[]): Promise<Links> {
  return new Map([...(await work.store.supersedesOf(work.job.id, ids)), ...(await linksHere(work, ids))]);
}

/** Of the decisions that the workspace has. */
async function linksHere({ job, call }: Work, ids: string[]): Promise<Links> {
  const body = { workspace_id: job.workspace_id, collection: 'decisions' as const, ids };
  const { here, supersedes = {} } = await call('findTakenDecisions', { body });
  return new Map(here.map((id) => [id, supersedes[id] ?? null]));
}
