import { randomUUID } from 'node:crypto';
import { REQUEST_ID_PATTERN } from '@waymark/contracts';

/** A client's own well-formed request id, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID_PATTERN.test(header) ? header : randomUUID();
}
