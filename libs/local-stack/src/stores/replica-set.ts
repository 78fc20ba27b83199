import { setTimeout as delay } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import { until } from './cluster.ts';

export const REPLICA_SET = 'rs0';

const TIMEOUT_MS = 20_000;
const POLL_MS = 10;
const ELECTION_TIMEOUT_MS = 30_000;
const DIRECT_TIMEOUT_MS = 2_000;
// https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
const ALREADY_INITIALIZED = 23;
const NOT_YET_INITIALIZED = 94;

/**
 * Makes the mongod on this port the primary of its own replica set: initiates a new one, or renames the only
 * member if the data was last used on another port, and waits until it accepts writes.
 */
export async function prepareReplicaSet(port: number): Promise<void> {
  const host = `127.0.0.1:${port}`;
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, {
    serverSelectionTimeoutMS: TIMEOUT_MS,
  });
  const deadline = Date.now() + TIMEOUT_MS;
  try {
    const admin = client.db('admin');
    while (!(await isPrimary(admin, host))) {
      if (Date.now() > deadline)
        throw new Error(`mongodb on ${host} did not become primary in ${TIMEOUT_MS} ms`);
      await configure(admin, host);
      await delay(POLL_MS);
    }
  } finally {
    await client.close();
  }
}

/** Makes the mongods on these ports one replica set and waits until one of them accepts writes. */
export async function initiateReplicaSet(ports: readonly number[]): Promise<void> {
  const members = ports.map((port, _id) => ({ _id, host: `127.0.0.1:${port}` }));
  await withAdmin(ports[0]!, (admin) => admin.command({ replSetInitiate: { _id: REPLICA_SET, members } }));
  await primaryOf(ports);
}

/** Waits until one of the members on these ports is primary, and returns its `host:port`. */
export function primaryOf(ports: readonly number[]): Promise<string> {
  return until('primary', ELECTION_TIMEOUT_MS, async () => {
    for (const port of ports) {
      const host = `127.0.0.1:${port}`;
      if (await withAdmin(port, (admin) => isPrimary(admin, host)).catch(() => false)) return host;
    }
    return undefined;
  });
}

async function withAdmin<T>(port: number, use: (admin: Db) => Promise<T>): Promise<T> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: DIRECT_TIMEOUT_MS,
  });
  try {
    return await use(client.db('admin'));
  } finally {
    await client.close();
  }
}

async function isPrimary(admin: Db, host: string): Promise<boolean> {
  const hello = await admin.command({ hello: 1 });
  return hello['isWritablePrimary'] === true && hello['me'] === host;
}

async function configure(admin: Db, host: string): Promise<void> {
  const config = await currentConfig(admin);
  if (config === undefined) {
    const replSetInitiate = { _id: REPLICA_SET, members: [{ _id: 0, host }] };
    // A mongod that is still loading its configuration reports that it has none, and then that it is
    // initialized.
    await admin.command({ replSetInitiate }).catch(ignoring(ALREADY_INITIALIZED));
  } else if (config['members'].length !== 1 || config['members'][0].host !== host) {
    const members = [{ ...config['members'][0], host }];
    await admin.command({
      replSetReconfig: { ...config, members, version: config['version'] + 1 },
      force: true,
    });
  }
}

async function currentConfig(admin: Db): Promise<Document | undefined> {
  const answer = await admin.command({ replSetGetConfig: 1 }).catch(ignoring(NOT_YET_INITIALIZED));
  return answer?.['config'];
}

/** Returns a catch handler that turns one server error into undefined. */
function ignoring(code: number): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };
}
