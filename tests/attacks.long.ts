import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { type AttackedProduct, signUp, startAttackedProduct } from './support/attacks/attacked-product.ts';
import { attacksOn } from './support/attacks/attacks.ts';

/**
 * Attacks each bounded resource with 30 accounts of one network, and with one account that has 30 workspaces.
 * A bystander of another network uses the resource meanwhile, and nothing is refused. `npm run bench:attacks`
 * measures how long its reads take.
 */
const USES = 10;

const at = {} as AttackedProduct;
const { attacks, held, metricLines } = attacksOn(at);
beforeAll(async () => void Object.assign(at, await startAttackedProduct()));
afterAll(() => at.stop());

it('attacks every bounded resource of the product', async () => {
  const lines = await metricLines('waymark_admission_held');
  const found = new Set(lines.map((line) => /resource="(\w+)"/.exec(line)![1]));
  expect([...found].sort()).toEqual(attacks.flatMap(({ resources }) => resources).sort());
});

/** The gateway's metrics of the services that still have requests of it. */
async function requestsOpen(): Promise<string[]> {
  const lines = await metricLines('waymark_admission_held', [at.product.running.gateway!]);
  return lines.filter((line) => line.includes('"requests_to_') && !line.endsWith(' 0'));
}

describe.each(attacks.map((attack) => [attack.resources.join(' and '), attack] as const))(
  '%s',
  (_, attack) => {
    const names = ['accounts of one network', 'workspaces of one account'] as const;
    it.each(names.slice(0, attack.isByAddress ? 1 : 2))('serves others beside many %s', async (name) => {
      await attack.use();
      const end = await attack.run(at.attackers[name]);
      try {
        await eventually(attack.isFull);
        for (const each of attack.resources) expect(await held(each)).toBeGreaterThan(0);
        for (let n = 0; n < USES; n += 1) await attack.use();
      } finally {
        await end();
      }
      // If a proxy broke the connections first, the circuit of the service could open and refuse others.
      await eventually(async () => expect(await requestsOpen()).toEqual([]));
      for (const each of attack.resources)
        await eventually(async () => {
          // What waited in a queue may begin before the service knows that its client is gone.
          at.drop();
          expect(await held(each)).toBe(0);
        });
    });
  },
);

it('accepts accounts of other networks beside one that has made many', async () => {
  expect(await signUp(at.product, '192.0.2.1')).toMatchObject({ status: 429 });
  expect((await signUp(at.product, '203.0.113.1')).status).toBe(201);
});
