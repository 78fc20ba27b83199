import { createHash } from 'node:crypto';
import { openApiDocument } from '@waymark/contracts';

/** The openapi.json that the types are generated from: as installations serve it, except for the address. */
export function clientDocument(): object {
  return openApiDocument({ publicUrl: 'http://localhost:8080', sessionCookie: 'waymark_session' });
}

/** Identifies a state of the API. */
export function documentHash(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
