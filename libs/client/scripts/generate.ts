/**
 * Writes src/schema.ts from the table of operations (npm run client:generate). The generator needs an older
 * TypeScript, so npm installs both in a temporary folder.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientDocument, documentHash } from './document.ts';

const GENERATOR = 'openapi-typescript@7.13.0';
const COMPILER = 'typescript@5.9.3';

const document = clientDocument();
const folder = mkdtempSync(join(tmpdir(), 'waymark-client-'));
try {
  const source = join(folder, 'openapi.json');
  const result = join(folder, 'schema.ts');
  writeFileSync(source, JSON.stringify(document));
  const packages = [GENERATOR, COMPILER].map((name) => `--package=${name}`);
  const command = ['openapi-typescript', source, '--output', result];
  execFileSync('npm', ['exec', '--yes', ...packages, '--', ...command], { cwd: folder, stdio: 'inherit' });
  const head = `// Made by npm run client:generate; document ${documentHash(document)}\n`;
  writeFileSync(join(import.meta.dirname, '../src/schema.ts'), head + readFileSync(result, 'utf8'));
} finally {
  rmSync(folder, { recursive: true });
}
