import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@waymark/contracts';
import { type Owner, testFolder } from '@waymark/testing';
import type { WebhookSeams } from '../../services/webhooks/src/service.ts';
import { startProduct } from '../support/product.ts';
import { acquireSchemathesis } from './acquire-schemathesis.ts';

const SECONDS = Number(process.env['SCHEMATHESIS_SECONDS'] ?? 60);
/** A session that does this cannot go on: it ends, or its workspace does. */
const ENDS_THE_RUN = ['signOut', 'endSession', 'deleteWorkspace'];

let owner: Owner & { key: string };
const schemathesis = await acquireSchemathesis(console.error);
const directory = testFolder();
// A lower plan would refuse keys and the audit log to all calls after it.
const env = { PLAN_CHANGES: 'operator', DEFAULT_PLAN: 'enterprise' };
// The endpoints that it registers are at example.com and at names that it makes up: nothing is sent there.
const seams: WebhookSeams = { resolveHost: () => Promise.reject(new Error('no such host')) };
const product = await startProduct(env, seams);
afterAll(() => product.stop());

/** Runs Schemathesis with these credentials, and resolves with its output if it found failures. */
async function failuresWith(credentials: string, excluded: readonly string[]): Promise<string> {
  const common = await readFile(join(import.meta.dirname, 'schemathesis.toml'), 'utf8');
  const configuration = join(directory, 'schemathesis.toml');
  const filled = common
    .replace('WORKSPACE_ID', owner.workspaceId)
    .replace('HOOKS', join(import.meta.dirname, 'schemathesis_hooks.py'));
  await writeFile(configuration, `${filled}\n${credentials}`);
  const base = product.url + BASE_PATH;
  const run = ['run', `${base}/openapi.json`, '--url', base, '--max-time', String(SECONDS), '--no-color'];
  const args = [...run, ...excluded.flatMap((id) => ['--exclude-operation-id', id])];
  const child = spawn(schemathesis.command, ['--config-file', configuration, ...args], {
    cwd: directory,
    env: { ...process.env, ...schemathesis.env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  return code === 0 ? '' : output;
}

describe('Schemathesis finds no answer that contradicts openapi.json', () => {
  beforeAll(async () => {
    owner = await product.workspace();
  });

  it('called with an API key', async () => {
    expect(await failuresWith(`[auth.openapi.bearer]\nbearer = "${owner.key}"`, [])).toBe('');
  });

  it('called with a session', async () => {
    const session = owner.cookie.slice(owner.cookie.indexOf('=') + 1);
    expect(await failuresWith(`[auth.openapi.session]\napi_key = "${session}"`, ENDS_THE_RUN)).toBe('');
  });
});
