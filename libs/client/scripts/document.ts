import { createHash } from 'node:crypto';
import { openApiDocument } from '@waymark/contracts';

/** Returns the openapi.json that installations serve, except for the address. */
export function clientDocument(): object {
  return openApiDocument({ publicUrl: 'http://localhost:8080', sessionCookie: 'waymark_session' });
}

export function documentHash(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
