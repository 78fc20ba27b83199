import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiDocument } from './description.ts';

export const TYPES = 'libs/client/src/schema.ts';
const GENERATOR = 'openapi-typescript@7.13.0';
const COMPILER = 'typescript@5.9.3';

/** Returns the first line of the types that belong to the table of operations. */
export function typesHead(): string {
  const hash = createHash('sha256').update(JSON.stringify(apiDocument())).digest('hex');
  return `// Made by npm run generate; document ${hash}`;
}

interface Body {
  description?: string | undefined;
  allOf?: object[];
}

/** Examples of whole records would be thousands of lines of comments. */
const withoutRecords = (key: string, value: unknown) =>
  key === 'examples' && Array.isArray(value) && typeof value[0] === 'object' ? undefined : value;

/**
 * Requires a title or a question, which openapi.json says in words only: other generators make `unknown` of
 * such a type.
 */
function withNames(source: object): object {
  const document = structuredClone(source) as { components: { schemas: Record<string, Body> } };
  const { schemas } = document.components;
  for (const name of ['DecisionCreate', 'DecisionPut']) {
    const { description, ...body } = schemas[name]!;
    const anyOf = ['title', 'question'].map((field) => {
      return { type: 'object', required: [field], properties: { [field]: { type: 'string' } } };
    });
    schemas[name] = { description, allOf: [body, { anyOf }] };
  }
  return document;
}

/**
 * Returns the TypeScript types of openapi.json. The generator needs an older TypeScript, so npm installs both
 * in a temporary folder.
 */
export function makeTypes(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-client-'));
  try {
    const source = join(folder, 'openapi.json');
    const result = join(folder, 'schema.ts');
    writeFileSync(source, JSON.stringify(withNames(apiDocument()), withoutRecords));
    const packages = [GENERATOR, COMPILER].map((name) => `--package=${name}`);
    const command = ['openapi-typescript', source, '--output', result];
    execFileSync('npm', ['exec', '--yes', ...packages, '--', ...command], { cwd: folder, stdio: 'inherit' });
    return `${typesHead()}\n${readFileSync(result, 'utf8')}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
