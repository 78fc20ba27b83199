import { createHash } from 'node:crypto';
import { openApiDocument } from '@waymark/contracts';

/** What the types are made from: openapi.json as every installation serves it, but for its own address. */
export function clientDocument(): object {
  return openApiDocument({ publicUrl: 'http://localhost:8080', sessionCookie: 'waymark_session' });
}

/** Tells one state of the interface from another. */
export function documentHash(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
