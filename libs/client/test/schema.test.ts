import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clientDocument, documentHash } from '../scripts/document.ts';

describe('the types of the client', () => {
  it('match the table of operations; if not, run npm run client:generate', () => {
    const [head] = readFileSync(join(import.meta.dirname, '../src/schema.ts'), 'utf8').split('\n', 1);
    expect(head).toBe(`// Made by npm run client:generate; document ${documentHash(clientDocument())}`);
  });
});
