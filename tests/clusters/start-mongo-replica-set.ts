import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { acquireBinary, freePort, type ManagedProcess, startProcess } from '@waymark/local-stack';
import { eventually, patience } from '@waymark/testing';
import { type Db, MongoClient } from 'mongodb';

export interface MongoReplicaSet {
  /** The URL with the address of every member. */
  url: string;
  /** The member that accepts writes now. */
  primary(): Promise<ManagedProcess>;
  stop(): Promise<void>;
}

const MEMBERS = 3;
const REPLICA_SET = 'rs0';
const ELECTION_TIMEOUT_MS = patience(30_000);
const DIRECT_TIMEOUT_MS = 2_000;

/** Starts a replica set of three members on this machine and waits for its primary. */
export async function startMongoReplicaSet({ dataDir }: { dataDir: string }): Promise<MongoReplicaSet> {
  const ports = await Promise.all(Array.from({ length: MEMBERS }, () => freePort()));
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  const members = await Promise.all(ports.map((port, i) => startMember(port, join(dataDir, `member-${i}`))));
  const replSetInitiate = { _id: REPLICA_SET, members: hosts.map((host, _id) => ({ _id, host })) };
  await withAdmin(hosts[0]!, (admin) => admin.command({ replSetInitiate }));
  const primary = () =>
    eventually(async () => {
      const accept = await Promise.all(hosts.map((host) => isPrimary(host).catch(() => false)));
      return members[accept.indexOf(true)] ?? false;
    }, ELECTION_TIMEOUT_MS) as Promise<ManagedProcess>;
  await primary();
  return {
    url: `mongodb://${hosts.join(',')}/?replicaSet=${REPLICA_SET}`,
    primary,
    async stop() {
      await Promise.all(members.map((member) => member.kill()));
    },
  };
}

async function startMember(port: number, dataDir: string): Promise<ManagedProcess> {
  const binary = await acquireBinary('mongo', console.error);
  // Members tell clients each other's addresses, which differ inside containers.
  if (typeof binary !== 'string') throw new Error('a replica set needs mongod on this machine');
  mkdirSync(dataDir, { recursive: true });
  return startProcess({
    name: 'mongodb',
    command: binary,
    args: [
      ...['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', dataDir, '--replSet', REPLICA_SET],
      ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '1024', '--nounixsocket', '--quiet'],
      ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ...['--setParameter', 'transactionLifetimeLimitSeconds=15'],
    ],
    logFile: join(dataDir, 'server.log'),
    port,
    isReady: () =>
      withAdmin(`127.0.0.1:${port}`, (admin) => admin.command({ ping: 1 })).then(
        () => true,
        () => false,
      ),
  });
}

async function isPrimary(host: string): Promise<boolean> {
  const hello = await withAdmin(host, (admin) => admin.command({ hello: 1 }));
  return hello['isWritablePrimary'] === true && hello['me'] === host;
}

async function withAdmin<T>(host: string, use: (admin: Db) => Promise<T>): Promise<T> {
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, {
    serverSelectionTimeoutMS: DIRECT_TIMEOUT_MS,
  });
  try {
    return await use(client.db('admin'));
  } finally {
    await client.close();
  }
}
