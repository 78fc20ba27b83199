import { createHash } from 'node:crypto';
import { openApiDocument } from '@waymark/contracts';

/**
 * Returns the openapi.json that installations serve, except for the address and the names in snake_case,
 * which the generator would take for fields of any name.
 */
export function clientDocument(): object {
  const document = openApiDocument({ publicUrl: 'http://localhost:8080', sessionCookie: 'waymark_session' });
  return JSON.parse(
    JSON.stringify(document, (name, value) => (name === 'patternProperties' ? undefined : value)),
  );
}

export function documentHash(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
