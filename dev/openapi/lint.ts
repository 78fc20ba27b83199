/** Checks openapi.json with Redocly and Spectral, where every warning is a failure. Part of npm run lint. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '@waymark/contracts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-openapi-'));
const here = import.meta.dirname;
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const run = (command: string, ...options: string[]) =>
  execFileSync(command, options, { env, encoding: 'utf8' });

try {
  const file = join(folder, 'openapi.json');
  const document = openApiDocument({
    publicUrl: 'https://waymark.example',
    sessionCookie: 'waymark_session',
  });
  writeFileSync(file, JSON.stringify(document, null, 2));
  run('redocly', 'lint', file, '--config', join(here, 'redocly.yaml'));
  run('spectral', 'lint', file, '--ruleset', join(here, 'spectral.yaml'), '--fail-severity', 'warn');
} catch (error) {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
  process.stderr.write(`${stdout}${stderr}${String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
