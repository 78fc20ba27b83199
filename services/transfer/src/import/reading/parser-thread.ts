import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { currentPart } from './current-part.ts';
import { FileFault } from './file-fault.ts';
import type { FileChunk, ImportFile, ParserJob } from './import-file.ts';
import { jsonRecords } from './json-records.ts';
import { madrRecords } from './madr-records.ts';
import { type ParsedRecord, parsedRecord } from './parsed-record.ts';

export interface ParserInput {
  job: ParserJob;
  size: number;
  /** The memory of `currentPart`. */
  part: SharedArrayBuffer;
}

export type ParserMessage =
  /** The parser waits for the chunk that holds this byte. */
  | { kind: 'read'; offset: number }
  /** The parser waits until it may continue. */
  | { kind: 'found'; records: ParsedRecord[] }
  | { kind: 'end'; fault: { path: string; message: string } | null };

const BATCH_RECORDS = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;

// Exports and requests of the process go first. On other systems, this would apply to the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { job, size, part } = workerData as ParserInput;
const answers: ((answer: FileChunk | null) => void)[] = [];
const post = (message: ParserMessage) => parentPort!.postMessage(message);
parentPort!.on('message', (answer: FileChunk | null) => answers.shift()!(answer));

/** Returns the answer to a message. Answers arrive in the order of their messages. */
function ask(message: ParserMessage): Promise<FileChunk | null> {
  post(message);
  return new Promise((resolve) => answers.push(resolve));
}

const file: ImportFile = {
  job,
  size,
  chunkAt: async (offset) => (await ask({ kind: 'read', offset }))!,
  beginPart: currentPart(part).begin,
};

async function parse(): Promise<FileFault | null> {
  let records: ParsedRecord[] = [];
  let characters = 0;
  async function flush(): Promise<void> {
    if (records.length > 0) await ask({ kind: 'found', records });
    records = [];
    characters = 0;
  }
  try {
    for await (const found of job.format === 'json' ? jsonRecords(file) : madrRecords(file)) {
      const record = parsedRecord(found);
      records.push(record);
      if ('row' in record) characters += record.row.record.length;
      if (records.length >= BATCH_RECORDS || characters >= BATCH_CHARACTERS) await flush();
    }
    await flush();
    return null;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    await flush();
    return error;
  }
}

const fault = await parse();
post({ kind: 'end', fault: fault && { path: fault.path, message: fault.message } });
