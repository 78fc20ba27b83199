import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** JSON logs on standard output. Secrets never reach a log call; redaction is the second fence. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['*.password', '*.key', '*.secret', '*.token', '*.authorization', '*.cookie'],
    },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 0 }),
  );
}
