import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditVerification } from '@waymark/contracts';
import { eventually, httpCall } from '@waymark/testing';
import { createProgram } from '../../apps/cli/src/program.ts';
import { runProgram } from '../../apps/cli/src/run-program.ts';
import { readSecrets } from '../../dev/secrets.ts';
import { type ProductProcesses, startProductProcesses } from './product-processes.ts';
import { startTraffic } from './steady-traffic.ts';

const REQUESTS_PER_SECOND = 50;
const AROUND = 30;
const ROTATED = ['IDENTITY_SECRETS', 'AUDIT_SIGNING_KEYS'] as const;

let product: ProductProcesses;
beforeAll(async () => {
  product = await startProductProcesses({ replicas: 2, env: { DRAIN_DELAY_MS: '2000' } });
}, 120_000);
afterAll(() => product.stop(), 60_000);

/** The next value, as the command line prints it. */
async function nextOf(step: string, variable: string, now: string): Promise<string> {
  const lines: string[] = [];
  const terminal = { env: { [variable]: now }, out: (line: string) => lines.push(line), error: fail };
  expect(await runProgram(createProgram, ['secrets', step, variable], terminal)).toBe(0);
  expect(lines).toHaveLength(1);
  return lines[0]!;
}
function fail(line: string): never {
  throw new Error(line);
}

/** Replaces the first replica of every service at the same time, then the second. */
async function roll(env: Record<string, string>): Promise<void> {
  const seen = new Set<string>();
  const firsts = product.services.processes.filter(({ service }) => !seen.has(service) && seen.add(service));
  const seconds = product.services.processes.filter((process) => !firsts.includes(process));
  for (const replicas of [firsts, seconds])
    await Promise.all(replicas.map(({ process }) => process.restart(env)));
}

describe('the secrets of a running product rotate', () => {
  it('step by step under load, with no failed request; heads of the old key still verify', async () => {
    const query = { workspaceId: product.workspaceId };
    const headers = { authorization: `Bearer ${product.key}` };
    const verify = async () =>
      (await httpCall(product.services.baseUrl, 'GET', '/audit-log/verify', { headers, query }))
        .body as AuditVerification;
    const before = await eventually(async () => (await verify()).head!.key_id);
    const traffic = await startTraffic(product, REQUESTS_PER_SECOND, {
      write: [1, (call) => call('POST', '/decisions', { query, headers, body: { title: 'Rotated' } })],
      list: [1, (call) => call('GET', '/decisions', { query: { ...query, limit: 5 }, headers })],
      members: [1, (call) => call('GET', '/members', { query, headers: { cookie: product.cookie } })],
      audit: [1, (call) => call('GET', '/audit-log', { query: { ...query, limit: 5 }, headers })],
    });
    try {
      await traffic.afterMore(AROUND);
      let secrets: Record<string, string> = { ...(await readSecrets(product.directory)) };
      for (const step of ['add', 'promote', 'retire']) {
        for (const variable of ROTATED)
          secrets = { ...secrets, [variable]: await nextOf(step, variable, secrets[variable]!) };
        await roll(secrets);
        await traffic.afterMore(AROUND);
        expect([step, traffic.failures]).toEqual([step, []]);
        expect(await verify()).toMatchObject({ valid: true, fault: null });
      }
    } finally {
      await traffic.stop();
    }
    expect(traffic.failures).toEqual([]);
    await eventually(async () => expect((await verify()).head!.key_id).not.toBe(before));
    expect(await verify()).toMatchObject({ valid: true, fault: null });
  }, 300_000);
});
