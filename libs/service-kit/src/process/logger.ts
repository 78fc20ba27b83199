import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

const PIECE_CHARACTERS = 32_768;
const WRITE_AFTER_MS = 100;

/** JSON logs on standard output. Secrets never reach a log call; redaction is the second fence. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: loggedError },
      redact: ['*.password', '*.key', '*.secret', '*.token', '*.authorization', '*.cookie'],
    },
    destination ?? standardOutput(),
  );
}

const ERROR_FIELDS = ['type', 'message', 'stack', 'code', 'codeName', 'syscall', 'address', 'port'] as const;

/**
 * Of an error what tells where it comes from. Others of its fields hold what it is about: MongoDB's the
 * documents that it refused, an invalid URL's all of itself, with whatever password it has.
 */
function loggedError(error: Error): object {
  const { aggregateErrors, ...all } = stdSerializers.err(error);
  const fields = ERROR_FIELDS.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]));
  return {
    ...Object.fromEntries(fields),
    ...(aggregateErrors && { aggregateErrors: (error as AggregateError).errors.map(loggedError) }),
  };
}

let writtenMs = 0;
let written = '';

/** The time as pino writes it, made once for all lines of a millisecond. */
function isoTime(): string {
  const nowMs = Date.now();
  if (nowMs !== writtenMs) {
    writtenMs = nowMs;
    written = `,"time":"${new Date(nowMs).toISOString()}"`;
  }
  return written;
}

let output: DestinationStream | undefined;

/**
 * Standard output of this process, written in pieces, each soon after its first line: every write wakes a
 * thread, which costs a busy process more than the lines. The destination's own `minLength` measures all that
 * it holds again for each line.
 */
function standardOutput(): DestinationStream {
  if (output) return output;
  let piece = '';
  let isWriteDue = false;
  const write = () => {
    if (piece !== '') stream.write(piece);
    piece = '';
  };
  const writeWhenDue = () => {
    isWriteDue = false;
    write();
  };
  // Before the destination's own listeners, which write what it holds and end it.
  process.once('beforeExit', write).once('exit', write);
  const stream = pino.destination({ dest: 1, sync: false });
  output = {
    write(line) {
      piece += line;
      if (piece.length >= PIECE_CHARACTERS) write();
      if (isWriteDue) return;
      isWriteDue = true;
      // Not by an interval: that would wake a process that has nothing to say.
      setTimeout(writeWhenDue, WRITE_AFTER_MS).unref();
    },
  };
  return output;
}
