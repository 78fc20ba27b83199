import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { STALLED_MS } from '../process/until-ready.ts';

export const REPLICA_SET = 'rs0';

const POLL_MS = 10;
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
    serverSelectionTimeoutMS: STALLED_MS,
  });
  const deadline = Date.now() + STALLED_MS;
  try {
    const admin = client.db('admin');
    while (!(await isPrimary(admin, host))) {
      if (Date.now() > deadline)
        throw new Error(`mongodb on ${host} did not become primary in ${STALLED_MS} ms`);
      await configure(admin, host);
      await delay(POLL_MS);
    }
  } finally {
    await client.close();
  }
}

async function isPrimary(admin: Db, host: string): Promise<boolean> {
  const hello = await admin.command({ hello: 1 });
  return hello['isWritablePrimary'] === true && hello['me'] === host;
}

async function configure(admin: Db, host: string): Promise<void> {
  const answer = await admin.command({ replSetGetConfig: 1 }).catch(ignoring(NOT_YET_INITIALIZED));
  const config = answer?.['config'];
  if (config === undefined) {
    const replSetInitiate = { _id: REPLICA_SET, members: [{ _id: 0, host }] };
    // A mongod that still loads its configuration reports that it has none, and then that it is initialized.
    await admin.command({ replSetInitiate }).catch(ignoring(ALREADY_INITIALIZED));
  } else if (config.members.length !== 1 || config.members[0].host !== host) {
    const members = [{ ...config.members[0], host }];
    const replSetReconfig = { ...config, members, version: config.version + 1 };
    await admin.command({ replSetReconfig, force: true });
  }
}

/** Returns a catch handler that turns one server error into undefined. */
function ignoring(code: number): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };
}
