import { on } from 'node:events';
import { MEBIBYTE } from '@waymark/contracts';
import { startThread } from '@waymark/service-kit/jobs';
import type { Work } from '../work/work.ts';
import { FileFault } from './file-fault.ts';
import type { FileChunk } from './import-file.ts';
import type { ParsedRecord } from './parsed-record.ts';
import type { ParserInput, ParserMessage } from './parser-thread.ts';

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
  const time = timeLimit(limits.fileMs + (limits.fileMsPerMebibyte * size) / MEBIBYTE, limits.partMs, () =>
    thread.terminate(),
  );
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

/** Calls `expire` when one run takes longer than `partMs`, or all runs together longer than `totalMs`. */
function timeLimit(totalMs: number, partMs: number, expire: () => void) {
  let left = totalMs;
  let isOver = false;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - startedAt;
  }

  return {
    stop,
    start(): void {
      stop();
      startedAt = performance.now();
      const ms = Math.max(0, Math.min(partMs, left));
      timer = setTimeout(() => {
        isOver = true;
        expire();
      }, ms);
    },
    isOver: () => isOver,
  };
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
