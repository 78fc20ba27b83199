import { on } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { MEBIBYTE } from '@waymark/contracts';
import { startThread } from '@waymark/service-kit/jobs';
import type { Work } from '../work/work.ts';
import { FileFault } from './file-fault.ts';
import type { FileChunk } from './import-file.ts';
import type { ParsedRecord } from './parsed-record.ts';
import type { ParserInput, ParserMessage } from './parser-thread.ts';

/** Times are processor time of the thread: on a busy machine it also waits, through no fault of the file. */
export interface ParserLimits {
  /** A part is 64 KiB of JSON, or a file of an archive: far less than a second of work. */
  partMs: number;
  fileMs: number;
  fileMsPerMebibyte: number;
  heapMebibytes: number;
}

const LIMITS: ParserLimits = {
  partMs: 5_000,
  fileMs: 60_000,
  fileMsPerMebibyte: 10_000,
  // The names and links of as many files as an archive can have take 90 MiB.
  heapMebibytes: 160,
};

/**
 * Parses the file of an import in a thread of its own and yields its records in batches. The next batch is
 * parsed while the caller handles one. Throws FileFault, also at the limits on time and memory.
 */
export async function* parseFile(
  { job, store, checkpoint }: Work,
  limits: ParserLimits = LIMITS,
  module = './parser-thread',
): AsyncGenerator<ParsedRecord[]> {
  const { format, workspace_id, created_at, created_by } = job;
  const size = await store.chunks.fileBytes(job);
  const input: ParserInput = { job: { format, workspace_id, created_at, created_by }, size };
  const thread = startThread(module, import.meta.url, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMebibytes },
  });
  let part = '';
  const totalMs = limits.fileMs + (limits.fileMsPerMebibyte * size) / MEBIBYTE;
  const time = timeLimit(thread, totalMs, limits.partMs);
  // Messages can wait for the caller below. The thread's time ends when they arrive.
  thread.on('message', (message: ParserMessage) => {
    time.stop();
    if (message.kind !== 'part') return;
    part = message.path;
    time.start();
  });
  const answer = (chunk: FileChunk | null) => {
    time.start();
    thread.postMessage(chunk);
  };
  time.start();
  try {
    for await (const [message] of on(thread, 'message', { close: ['exit'] }) as AsyncIterable<
      [ParserMessage]
    >) {
      checkpoint();
      if (message.kind === 'read') answer(await store.chunks.readAt(job.id, message.offset));
      else if (message.kind === 'found') {
        answer(null);
        yield message.records;
      } else if (message.kind === 'end') {
        if (message.fault) throw new FileFault(message.fault.path, message.fault.message);
        return;
      }
    }
    if (time.isOver()) throw new FileFault(part, 'takes too long to read');
    throw new Error('the parser thread ended');
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    throw new FileFault(part, 'needs too much memory to read');
  } finally {
    time.stop();
    await thread.terminate();
  }
}

/** How many times longer than its processor time a part may take. Beyond that, the thread hangs. */
const WAITING_FACTOR_MAX = 20;

/**
 * Terminates the thread when one run takes more than `partMs` of processor time (twice that on a quiet
 * machine), or all runs together more than `totalMs`.
 */
function timeLimit(thread: Worker, totalMs: number, partMs: number) {
  let left = totalMs;
  let isOver = false;
  let startedAt = 0;
  /** The thread's processor time at the first check of the run. */
  let firstMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - startedAt;
  }

  const checkAfter = (ms: number) => {
    timer = setTimeout(check, Math.max(0, ms));
  };

  async function check(): Promise<void> {
    const checked = timer;
    const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    // The run has ended meanwhile.
    if (timer !== checked) return;
    const spentMs = (user + system) / 1_000;
    firstMs ??= spentMs;
    const leftMs = Math.min(partMs - (spentMs - firstMs), totalMs - spentMs);
    isOver = leftMs <= 0 || performance.now() - startedAt > WAITING_FACTOR_MAX * partMs;
    if (isOver) await thread.terminate();
    else checkAfter(leftMs);
  }

  return {
    stop,
    start(): void {
      stop();
      startedAt = performance.now();
      firstMs = undefined;
      checkAfter(Math.min(partMs, left));
    },
    isOver: () => isOver,
  };
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
