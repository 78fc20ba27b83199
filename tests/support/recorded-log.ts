import { createLogger, type Logger } from '@waymark/service-kit/process';

/** A log at level trace, and the lines that it has written so far. */
export function recordedLog(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  return { log: createLogger('test', 'trace', { write }), lines };
}
