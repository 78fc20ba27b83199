import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

const BUFFER_BYTES = 4_096;
const FLUSH_MS = 100;

/** JSON logs on standard output. Secrets never reach a log call; redaction is the second fence. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // An invalid URL puts all of itself into its error's `input`, with whatever password it has.
      redact: ['*.password', '*.key', '*.secret', '*.token', '*.authorization', '*.cookie', '*.input'],
    },
    // Written in pieces: a write for each line would cost a busy process more than the line itself.
    destination ?? bufferedOutput(),
  );
}

/** Written soon after a line. A flush of its own every so often would wake a process that has nothing to say ten times a second. */
function bufferedOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, minLength: BUFFER_BYTES });
  const write = output.write.bind(output);
  let isFlushDue = false;
  return Object.assign(output, {
    write(line: string): boolean {
      if (!isFlushDue) {
        isFlushDue = true;
        setTimeout(() => {
          isFlushDue = false;
          output.flush();
        }, FLUSH_MS).unref();
      }
      return write(line);
    },
  });
}
