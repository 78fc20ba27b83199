import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';

export type { Logger };

const PIECE_CHARACTERS = 32_768;
const WRITE_AFTER_MS = 100;

/** Creates a logger of JSON lines. Callers never log secrets; redaction is a second safeguard. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: loggedError },
      redact: ['*.password', '*.key', '*.secret', '*.token', '*.authorization', '*.cookie'],
    },
    destination ?? standardOutput(),
  );
}

const ERROR_FIELDS = ['type', 'message', 'stack', 'code', 'codeName', 'syscall', 'address', 'port'] as const;

/** Omits fields that may hold data: refused documents (MongoDB), or a URL with its password. */
function loggedError(error: Error): object {
  const { aggregateErrors, ...all } = stdSerializers.err(error);
  const fields = ERROR_FIELDS.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]));
  return {
    ...Object.fromEntries(fields),
    ...(aggregateErrors && { aggregateErrors: (error as AggregateError).errors.map(loggedError) }),
  };
}

let output: DestinationStream | undefined;

/**
 * Returns standard output, buffered for 100 ms: every write wakes a thread, which costs more than the lines.
 * The `minLength` of pino's destination would measure its whole buffer again for each line.
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
  // Registered before the destination's own listeners, which flush it and end it.
  process.once('beforeExit', write).once('exit', write);
  const stream = pino.destination({ dest: 1, sync: false });
  output = {
    write(line) {
      piece += line;
      if (piece.length >= PIECE_CHARACTERS) write();
      if (isWriteDue) return;
      isWriteDue = true;
      // A timeout, because an interval would wake a process that has nothing to log.
      setTimeout(writeWhenDue, WRITE_AFTER_MS).unref();
    },
  };
  return output;
}
