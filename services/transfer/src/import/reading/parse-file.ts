import { on } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { MEBIBYTE } from '@waymark/contracts';
import { startThread } from '@waymark/service-kit/jobs';
import type { Work } from '../work/work.ts';
import { type CurrentPart, currentPart } from './current-part.ts';
import { FileFault } from './file-fault.ts';
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
  const { format, workspace_id, created_at, created_by, quality_model } = job;
  const size = await store.chunks.fileBytes(job);
  const part = currentPart();
  const input: ParserInput = {
    job: { format, workspace_id, created_at, created_by, quality_model },
    size,
    part: part.memory,
  };
  const thread = startThread(module, import.meta.url, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMebibytes },
  });
  const totalMs = limits.fileMs + (limits.fileMsPerMebibyte * size) / MEBIBYTE;
  const time = limitTime(thread, part, { totalMs, partMs: limits.partMs });
  try {
    for await (const [message] of on(thread, 'message', { close: ['exit'] }) as AsyncIterable<
      [ParserMessage]
    >) {
      checkpoint();
      if (message.kind === 'read') thread.postMessage(await store.chunks.readAt(job.id, message.offset));
      else if (message.kind === 'found') {
        thread.postMessage(null);
        yield message.records;
      } else {
        if (message.fault) throw new FileFault(message.fault.path, message.fault.message);
        return;
      }
    }
    if (time.isOver()) throw new FileFault(part.path(), 'takes too long to read');
    throw new Error('the parser thread ended');
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    throw new FileFault(part.path(), 'needs too much memory to read');
  } finally {
    time.stop();
    await thread.terminate();
  }
}

/** Checks a thread regularly, and terminates it when a part or the whole file has taken too long. */
function limitTime(
  thread: Worker,
  part: Pick<CurrentPart, 'number'>,
  { totalMs, partMs }: { totalMs: number; partMs: number },
) {
  let isOver = false;
  let begun = { number: 0, spentMs: 0 };
  const timer = setInterval(
    async () => {
      const spent = await thread.cpuUsage().catch(() => null);
      if (!spent) return;
      const spentMs = (spent.user + spent.system) / 1_000;
      const number = part.number();
      if (number !== begun.number) begun = { number, spentMs };
      isOver = spentMs > totalMs || spentMs - begun.spentMs > partMs;
      if (isOver) await thread.terminate();
    },
    Math.min(partMs, totalMs),
  );
  return { isOver: () => isOver, stop: () => clearInterval(timer) };
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
