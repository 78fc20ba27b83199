import { MEBIBYTE } from '@waymark/contracts';
import { waitAtMost } from '@waymark/service-kit/jobs';
import type { FindRequest } from '../query/find-hits.ts';
import { type HitsJson, NO_HITS_JSON } from '../query/hits-json.ts';
import type { ChangesPortion, SearchStore } from '../store/index.ts';
import type { IndexThreads } from './index-threads.ts';
import { newestRows } from './newest-rows.ts';
import { isAbsent, type TrigramBuckets } from './trigram-counts.ts';

const NOT_BEGUN = -1;
const PORTION_CHANGES = 1_000;
const FILE_BYTES_MIN = MEBIBYTE;
/** SQLite's memory for an index, measured with 100 to 40,000 rows; cache and waiting postings are bounded. */
const MEMORY = { bytesMin: 2 * MEBIBYTE, perFileByte: 3, bytesMax: 32 * MEBIBYTE };

/** The main thread's side of one workspace's index. */
export function indexHandle(options: {
  workspaceId: string;
  epoch: string;
  store: Pick<SearchStore, 'changesAfter'>;
  threads: Pick<IndexThreads, 'run'>;
  newestRowsMax?: number | undefined;
  now: () => number;
  /** Called after each portion; throws when the index may not grow. */
  onGrowth: () => void;
  /** Called when catching up fails; drops the index. */
  onFailure: (error: unknown) => void;
}) {
  const { workspaceId, epoch, store, threads, now, onGrowth, onFailure } = options;
  let revision = NOT_BEGUN;
  let begun = { revision, atMs: now() };
  let catchingUp: Promise<void> | null = null;
  let isDropped = false;
  let trigrams: readonly TrigramBuckets[] = [];
  const newest = newestRows(options.newestRowsMax);
  const used = { usedAtMs: now(), fileBytes: FILE_BYTES_MIN, memoryBytes: MEMORY.bytesMin };

  async function apply({ changes, revision: reached }: ChangesPortion): Promise<void> {
    const { bytes, trigrams: counted } = await threads.run('apply', workspaceId, { changes });
    trigrams = counted;
    newest.take(changes);
    revision = reached;
    used.fileBytes = Math.max(bytes, FILE_BYTES_MIN);
    const { bytesMin, perFileByte, bytesMax } = MEMORY;
    used.memoryBytes = Math.min(bytesMin + perFileByte * bytes, bytesMax) + newest.bytes();
    if (!isDropped) onGrowth();
  }

  /** Reads the next portion while the thread takes one in. */
  async function takeIn(): Promise<void> {
    let applying = Promise.resolve();
    for await (const portion of store.changesAfter(workspaceId, revision, PORTION_CHANGES)) {
      await applying;
      if (isDropped) return;
      applying = apply(portion);
      // A later await handles its failure; until then the rejection must not count as unhandled.
      applying.catch(() => undefined);
    }
    await applying;
  }

  function catchUp(): Promise<void> {
    begun = catchingUp ? begun : { revision, atMs: now() };
    catchingUp ??= takeIn()
      .catch(onFailure)
      .finally(() => {
        catchingUp = null;
      });
    return catchingUp;
  }

  async function catchUpTo(wanted: number): Promise<void> {
    while (revision < wanted && !isDropped) await catchUp();
  }

  return Object.assign(used, {
    epoch,
    /** Takes in the changes that the index lacks, one run at a time. */
    catchUp,
    /** How many revisions the index lacks. */
    lag: (wanted: number) => wanted - revision,
    /** Whether the index reaches a revision within `timeoutMs`. */
    async reaches(wanted: number, timeoutMs: number): Promise<boolean> {
      if (revision < wanted) await waitAtMost(catchUpTo(wanted), timeoutMs);
      return revision >= wanted && !isDropped;
    },
    /** How long the index takes to reach a revision, by its speed so far. */
    msUntil: (wanted: number) =>
      ((wanted - revision) * (now() - begun.atMs)) / Math.max(1, revision - begun.revision),
    async find(request: FindRequest): Promise<HitsJson> {
      // While the thread takes changes in, its counts change.
      if (!catchingUp && trigrams.every((counts) => isAbsent(request.q, counts))) return NO_HITS_JSON;
      return (await newest.find(request)) ?? threads.run('find', workspaceId, { request });
    },
    /** Ends catching up and frees the index. */
    drop(): void {
      isDropped = true;
      threads.run('drop', workspaceId, {}).catch(() => undefined);
    },
  });
}

export type IndexHandle = ReturnType<typeof indexHandle>;
