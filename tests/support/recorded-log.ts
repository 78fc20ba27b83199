import { createLogger, type Logger } from '@waymark/service-kit/process';

/** A log at the most talkative level, and the lines that it has written so far. */
export function keptLog(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  return { log: createLogger('test', 'trace', { write }), lines };
}
