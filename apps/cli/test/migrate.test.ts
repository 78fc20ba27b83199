import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type StoringService, storingServices } from '@waymark/contracts';
import { indexesOf, shardKeys } from '@waymark/service-kit/store';
import { testEnvironment } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { environmentOf } from '../src/databases.ts';
import { schemas } from '../src/schemas.ts';
import { run } from './run.ts';

const shared = testEnvironment();
const env: Record<string, string | undefined> = {
  ...shared,
  MIGRATE_ON_START: 'false',
  ...Object.fromEntries(
    storingServices.map((name) => [
      `${name.toUpperCase()}_MONGODB_DATABASE`,
      `${shared['NATS_PREFIX']}_${name}`,
    ]),
  ),
};

const started: ChildProcess[] = [];
afterAll(async () => {
  for (const child of started) child.kill();
  const mongo = new MongoClient(String(env['MONGODB_URL']));
  await Promise.all(storingServices.map((name) => mongo.db(`${env['NATS_PREFIX']}_${name}`).dropDatabase()));
  await mongo.close();
});

function startMain(service: StoringService) {
  return start(`services/${service}`, [], environmentOf(service, env));
}

/** Starts a program of the repository and collects its error output. */
function start(path: string, args: string[], env: Record<string, string | undefined>) {
  const main = fileURLToPath(new URL(`../../../${path}/src/main.ts`, import.meta.url));
  const options = ['--conditions=x-source', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...options, main, ...args], { env });
  started.push(child);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return { child, stderr: () => stderr };
}

describe('waymark migrate', () => {
  it('reports everything as pending, and a service refuses to start with one line that says so', async () => {
    const checked = await run(env, 'migrate', '--check');
    expect(checked.code).toBe(1);
    expect(checked.text).toContain('decisions: pending: collection decisions');
    const { child, stderr } = startMain('decisions');
    const [code] = await once(child, 'close');
    expect({ code, lines: stderr().trim().split('\n') }).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^decisions: a migration is pending .*npm run migrate/)],
    });
  });

  it('waits until nothing is pending, and says what it waits for', async () => {
    const { child } = start('apps/cli', ['migrate', '--wait', 'audit'], env);
    const [line] = await once(child.stdout, 'data');
    expect(String(line)).toMatch(/^audit: waiting: \d+ migrations are pending, first collection \w+\n$/);
    const closed = once(child, 'close');
    expect((await run(env, 'migrate', 'audit')).code).toBe(0);
    expect(await closed).toEqual([0, null]);
  });

  it('says that MongoDB is unavailable and why, without the password in its URL', async () => {
    const away = { ...env, AUDIT_MONGODB_URL: 'mongodb://alice:hunter2@127.0.0.1:9/?replicaSet=rs0' };
    const { child } = start('apps/cli', ['migrate', '--wait', 'audit'], away);
    const [line] = await once(child.stdout, 'data');
    expect(String(line)).toBe('audit: waiting: MongoDB is unavailable: connect ECONNREFUSED 127.0.0.1:9\n');
  });

  it('migrates all services, then has nothing to do, and refuses an unknown service', async () => {
    expect((await run(env, 'migrate')).code).toBe(0);
    expect((await run(env, 'migrate')).out).toEqual(storingServices.map((name) => `${name}: nothing to do`));
    expect((await run(env, 'migrate', '--check')).code).toBe(0);
    expect(await run(env, 'migrate', 'billing')).toMatchObject({
      code: 1,
      errors: [expect.stringContaining('no service billing')],
    });
  });

  it('names every missing database in the environment', async () => {
    const { code, errors } = await run({ ...env, MONGODB_URL: undefined }, 'migrate', 'decisions');
    expect(code).toBe(1);
    expect(errors.join()).toContain('DECISIONS_MONGODB_URL');
  });
});

describe('the schemas', () => {
  it.each(storingServices)(
    'of %s: a unique index of a sharded collection begins with its shard key',
    (service) => {
      const keys = shardKeys(schemas[service]);
      for (const [name, indexes] of Object.entries(indexesOf(schemas[service]))) {
        const [field] = Object.keys(keys[name] ?? {});
        if (!field) continue;
        for (const { key, unique } of indexes) {
          if (unique) expect({ name, first: Object.keys(key)[0] }).toEqual({ name, first: field });
        }
      }
    },
  );

  it('are sharded as docs/operating/migrations.md describes', () => {
    const text = readFileSync(new URL('../../../docs/operating/migrations.md', import.meta.url), 'utf8');
    for (const [service, { shardedBy = {}, indexes }] of Object.entries(schemas)) {
      for (const [name, field] of Object.entries(shardedBy)) {
        const unique = (indexes[name] ?? []).filter((index) => index.unique);
        const listed = unique.map(({ key }) => Object.keys(key).join(', ')).join('; ');
        expect(text).toContain(`| ${service} | ${name} | ${field} | ${listed} |`);
      }
    }
    expect(text.match(/^\| (?!Database|---|each)/gm)).toHaveLength(
      Object.values(schemas).flatMap(({ shardedBy = {} }) => Object.keys(shardedBy)).length,
    );
  });
});
