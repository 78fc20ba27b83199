import { createHash } from 'node:crypto';
import { openApiDocument } from '@waymark/contracts';

/**
 * Returns the openapi.json that the types are generated from. Installations serve the same, except for the
 * address.
 */
export function clientDocument(): object {
  return openApiDocument({ publicUrl: 'http://localhost:8080', sessionCookie: 'waymark_session' });
}

/** Returns a hash that identifies a version of the API. */
export function documentHash(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
