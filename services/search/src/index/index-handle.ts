import { MEBIBYTE } from '@waymark/contracts';
import { waitAtMost } from '@waymark/service-kit/jobs';
import type { FindRequest, Found } from '../query/find-hits.ts';
import type { ChangesPortion, SearchStore } from '../store/index.ts';
import type { IndexThreads } from './index-threads.ts';

const NOT_BEGUN = -1;
const PORTION_CHANGES = 1_000;
const FILE_BYTES_MIN = MEBIBYTE;
/** Memory of an index, measured with 100 to 40,000 rows; SQLite's cache and waiting postings are bounded. */
const MEMORY = { bytesMin: 3 * MEBIBYTE, perFileByte: 3, bytesMax: 32 * MEBIBYTE };

/** The main thread's side of one workspace's index. */
export function indexHandle(options: {
  workspaceId: string;
  epoch: string;
  store: Pick<SearchStore, 'changesAfter'>;
  threads: Pick<IndexThreads, 'run'>;
  now: () => number;
  /** Called after each portion; throws when the index may not grow. */
  onGrowth: () => void;
  /** Called when catching up fails; drops the index. */
  onFailure: (error: unknown) => void;
}) {
  const { workspaceId, epoch, store, threads, now, onGrowth, onFailure } = options;
  let revision = NOT_BEGUN;
  let catchingUp: Promise<void> | null = null;
  let isDropped = false;
  const used = { usedAtMs: now(), fileBytes: FILE_BYTES_MIN, memoryBytes: MEMORY.bytesMin };

  async function apply({ changes, revision: reached }: ChangesPortion): Promise<void> {
    const bytes = await threads.run('apply', workspaceId, { changes });
    revision = reached;
    used.fileBytes = Math.max(bytes, FILE_BYTES_MIN);
    const { bytesMin, perFileByte, bytesMax } = MEMORY;
    used.memoryBytes = Math.min(bytesMin + perFileByte * bytes, bytesMax);
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
    find: (request: FindRequest): Promise<Found> => threads.run('find', workspaceId, { request }),
    /** Ends catching up and frees the index. */
    drop(): void {
      isDropped = true;
      threads.run('drop', workspaceId, {}).catch(() => undefined);
    },
  });
}

export type IndexHandle = ReturnType<typeof indexHandle>;
