import { limits } from '@waymark/contracts';
import type { ImportRow } from '../../store/index.ts';
import { recordOf } from '../work/import-row.ts';
import { linkedDecisions } from '../work/remap.ts';
import type { Work } from '../work/work.ts';

/** A walk along supersedes links from decision `seq` of the file, currently at decision `at`. */
interface Walk {
  seq: number;
  at: string;
}

type Links = ReadonlyMap<string, string | null>;

/**
 * Reports cycles and overlong chains of supersedes links from a portion of decisions, within the file and
 * with the workspace's decisions. Warns of links to decisions that the file lacks: they may be deleted.
 */
export async function checkSupersedes(work: Work, rows: ImportRow[]): Promise<void> {
  const { job, store, report } = work;
  const decisions = rows.map((row) => ({ seq: row.seq, ...recordOf('decisions', row) }));
  const linked = decisions.flatMap(linkedDecisions);
  const known = await store.rows.supersedes(job.id, linked);
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
  const endless = new Set(await overlongAmong(walks, (ids) => store.rows.supersedes(job.id, ids)));
  if (job.ids === 'keep' && walks.length > 0) {
    const ids = decisions.map(({ id }) => id);
    const present = await workspaceLinks(work, ids);
    const isNew = new Set(decisions.filter(({ id }) => !present.has(id)).map(({ seq }) => seq));
    const added = walks.filter(({ seq }) => isNew.has(seq));
    for (const seq of await overlongAmong(added, (next) => combinedLinks(work, next))) endless.add(seq);
  }
  const message = `supersedes itself through others, or more than ${limits.supersedesChain} in a row`;
  for (const seq of endless) report.issue(`decisions.${seq}.supersedes`, message);
}

/** Returns the walks that exceed the longest allowed chain. All advance together, with one query per step. */
async function overlongAmong(given: readonly Walk[], linksOf: (ids: string[]) => Promise<Links>) {
  let walks = [...given];
  for (let steps = 1; walks.length > 0 && steps <= limits.supersedesChain; steps += 1) {
    const next = await linksOf(walks.map(({ at }) => at));
    walks = walks.flatMap(({ seq, at }) => {
      const further = next.get(at);
      return further ? [{ seq, at: further }] : [];
    });
  }
  return walks.map(({ seq }) => seq);
}

/** Returns the links after the import: the workspace's own ones stay, and may lead to restored decisions. */
async function combinedLinks(work: Work, ids: string[]): Promise<Links> {
  return new Map([
    ...(await work.store.rows.supersedes(work.job.id, ids)),
    ...(await workspaceLinks(work, ids)),
  ]);
}

async function workspaceLinks({ job, call }: Work, ids: string[]): Promise<Links> {
  const { workspace_id } = job;
  const body = { workspace_id, collection: 'decisions' as const, ids: [...new Set(ids)] };
  const { here, supersedes = {} } = await call('findTakenDecisions', { body });
  return new Map(here.map((id) => [id, supersedes[id] ?? null]));
}
