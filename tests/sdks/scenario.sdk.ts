import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operationList } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import { testFolder } from '@waymark/testing';
import { joinProduct } from '../support/join-product.ts';
import { startExampleApi } from './support/example-api.ts';
import { startFaultyProxy } from './support/faulty-proxy.ts';
import { sdkPrograms } from './support/programs.ts';
import { runSdk, type SdkProgram, type SdkRun } from './support/run-sdk.ts';

const SCENARIO = join(findRepositoryRoot(), 'sdks/scenario.json');
const VECTORS = join(findRepositoryRoot(), 'libs/client/vectors/webhooks.json');
/** Of an answer of the proxy; timers may end a little early. */
const RETRY_AFTER_MS = 990;

interface Step {
  name: string;
  expect?: { attempts?: number };
}
const { steps } = JSON.parse(readFileSync(SCENARIO, 'utf8')) as { steps: Step[] };

const EXAMPLE_KEY = 'wmk_J9A216J9A216J9A216J9A216J9A216J9A216J9A216J';

const product = joinProduct();
const directory = testFolder();
const proxy = await startFaultyProxy(product.url);
afterAll(() => proxy.stop());

describe.each(Object.entries(sdkPrograms))('%s', (name, prepare) => {
  let program: SdkProgram;
  let run: SdkRun;
  beforeAll(async () => {
    program = await prepare();
    const { key } = await product.workspace();
    run = await runSdk(program, {
      SCENARIO,
      WAYMARK_URL: `${product.url}/v1`,
      WAYMARK_API_KEY: key,
      WAYMARK_PROXY_URL: `${proxy.url}/${name}`,
      WAYMARK_WEBHOOK_VECTORS: VECTORS,
    });
    process.stderr.write(`${name}: ${run.steps - run.failed.length} of ${steps.length} steps hold\n`);
  });

  it('does every step of the scenario', () => {
    expect({ ...run, operations: [] }).toEqual({
      failed: [],
      steps: steps.length,
      operations: [],
      code: 0,
      stderr: '',
    });
  });

  it('has a method for every operation', () => {
    expect([...run.operations].sort()).toEqual(operationList.map(({ id }) => id).sort());
  });

  it.each([
    ['that answers like the examples of openapi.json', false],
    ['with fields and values that it does not know yet', true],
  ])('calls every operation of a server %s', async (_, isNewer) => {
    // Go ignores fields that a struct lacks.
    const api = await startExampleApi({ isNewer, keepsFields: name !== 'go' });
    try {
      const file = join(directory, `${name}-${isNewer}.json`);
      await writeFile(file, JSON.stringify({ steps: api.steps }));
      const {
        failed,
        steps: count,
        stderr,
      } = await runSdk(program, {
        SCENARIO: file,
        WAYMARK_URL: api.url,
        WAYMARK_API_KEY: EXAMPLE_KEY,
      });
      expect({ failed, count, stderr }).toEqual({ failed: [], count: api.steps.length, stderr: '' });
    } finally {
      await api.stop();
    }
  });

  it('repeats a request with the same Idempotency-Key, after the wait that is asked for', () => {
    const repeated = steps.flatMap((step, i) => (step.expect?.attempts ? [{ ...step, i }] : []));
    expect(repeated.length).toBeGreaterThan(3);
    for (const { name: step, i, expect: expected } of repeated) {
      const attempts = proxy.attempts(`/${name}/${i}`);
      expect([step, attempts.length]).toEqual([step, expected!.attempts]);
      expect([step, new Set(attempts.map(({ idempotencyKey }) => idempotencyKey)).size]).toEqual([step, 1]);
      for (const [n, { answer, atMs }] of attempts.slice(0, -1).entries()) {
        if (answer !== '429' && answer !== '503') continue;
        expect([step, attempts[n + 1]!.atMs - atMs > RETRY_AFTER_MS]).toEqual([step, true]);
      }
    }
  });
});
