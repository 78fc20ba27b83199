import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { waymark as runWaymark } from '../apps/cli/test/run.ts';
import { announceRunning, environmentBeside, productDirectory } from '../dev/running.ts';
import { startTemporaryProduct, type TemporaryProduct } from '../dev/temporary-product.ts';

/** The commands that `npm run waymark` and `npm run migrate` run beside `npm start`. */
let product: TemporaryProduct;
let withdraw: () => void;
beforeAll(async () => {
  product = await startTemporaryProduct();
  const { mongoUrl, redisUrl, natsUrl } = product.stores;
  const urls = product.services.processes.map(({ service, url }) => [`${service.toUpperCase()}_URL`, url]);
  withdraw = await announceRunning(product.directory, {
    ...Object.fromEntries(urls),
    ...{ MONGODB_URL: mongoUrl, REDIS_URL: redisUrl, NATS_URL: natsUrl },
  });
});
afterAll(() => product.stop());

const waymark = async (given: Record<string, string>, ...args: string[]) =>
  runWaymark(await environmentBeside(product.directory, given), ...args);

describe('a command in another terminal', () => {
  it('finds the databases, the secrets and the services of the running product', async () => {
    expect(await waymark({}, 'migrate', '--check')).toEqual({ code: 0, text: '' });
    const wrong = await waymark({}, 'admin', 'create-owner', 'ada', '--name', 'Ada');
    expect(wrong).toEqual({ code: 1, text: expect.stringContaining('ada is not an e-mail address') });
    const resumed = await waymark({}, 'audit', 'resume', '--all');
    expect(resumed).toEqual({ code: 0, text: expect.stringContaining('no audit chain is stopped') });
    const created = await waymark({}, 'admin', 'create-owner', 'ada@example.com', '--name', 'Ada');
    expect(created).toEqual({ code: 0, text: expect.stringContaining('shown this once') });
    expect(await waymark({}, 'events', 'parked')).toMatchObject({ code: 0 });
    expect(await waymark({}, 'search', 'rebuild')).toMatchObject({ code: 0 });
    const old = product.secrets['CURSOR_SECRETS']!;
    expect((await waymark({}, 'secrets', 'add', 'CURSOR_SECRETS')).text).toMatch(`${old},`);
  });

  it('is found in the folder that WAYMARK_DIRECTORY names for both', () => {
    expect(productDirectory({ WAYMARK_DIRECTORY: '/srv/waymark' })).toBe('/srv/waymark');
    expect(productDirectory({})).toBe(join(findRepositoryRoot(), '.waymark'));
  });

  it('uses variables of its own before those of the product', async () => {
    const given = { CURSOR_SECRETS: 'x'.repeat(32), NATS_URL: '' };
    const env = await environmentBeside(product.directory, given);
    expect(env).toMatchObject({ CURSOR_SECRETS: 'x'.repeat(32), NATS_URL: product.stores.natsUrl });
  });

  it('does not mix a database of its own with the secrets of the product', async () => {
    for (const name of ['MONGODB_URL', 'AUDIT_MONGODB_URL']) {
      const given = { [name]: 'mongodb://db.example.com' };
      expect(await environmentBeside(product.directory, given)).toEqual(given);
    }
  });

  it('says what is missing if the product does not run', async () => {
    const file = join(product.directory, 'running.json');
    writeFileSync(file, JSON.stringify({ pid: 2 ** 30, env: { MONGODB_URL: product.stores.mongoUrl } }));
    const refused = { code: 1, text: expect.stringMatching(/MONGODB_URL.*missing.*npm start/) };
    expect(await waymark({}, 'migrate', '--check')).toEqual(refused);
    withdraw();
    expect(await waymark({}, 'migrate', '--check')).toEqual(refused);
  });
});
