import { join } from 'node:path';
import { acquireBinary, canListen, freePort, type StoreProcess, startRedis } from '@waymark/local-stack';
import { eventually, patience } from '@waymark/testing';
import { createClient } from 'redis';

export interface RedisCluster {
  /** A URL of each master, separated by commas. */
  url: string;
  masters: readonly StoreProcess[];
  /** Returns the master that was assigned the slot of a key; keys with the same hash tag share a slot. */
  masterOf(key: string): Promise<StoreProcess>;
  stop(): Promise<void>;
}

const MASTERS = 3;
const SLOTS = 16_384;
/** Fixed, because Redis before 7 has no option for it. */
const BUS_PORT_DISTANCE = 10_000;
/** A node counts as failed after this time. It is short to keep failover tests short. */
const NODE_TIMEOUT_MS = 2_000;
const FORMED_TIMEOUT_MS = patience(30_000);

/**
 * Starts a Redis Cluster of three masters on this machine, with a replica of each if asked for. Resolves once
 * every node knows all others and all slots are served.
 */
export async function startRedisCluster(options: {
  dataDir: string;
  withReplicas?: boolean;
  /** Returns the port that a node announces to clients in place of its own. */
  announce?: (port: number) => Promise<number>;
}): Promise<RedisCluster> {
  const binary = await acquireBinary('redis', console.error);
  // Nodes tell clients each other's addresses, which differ inside containers.
  if (typeof binary !== 'string') throw new Error('a cluster needs redis-server on this machine');
  const nodes: StoreProcess[] = [];
  for (let i = 0; i < MASTERS * (options.withReplicas ? 2 : 1); i += 1) {
    const port = await freeNodePort();
    const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(NODE_TIMEOUT_MS)];
    if (options.announce) {
      args.push('--cluster-announce-port', String(await options.announce(port)));
      args.push('--cluster-announce-bus-port', String(port + BUS_PORT_DISTANCE));
    }
    nodes.push(await startRedis({ binary, dataDir: join(options.dataDir, `node-${i}`), port, args }));
  }
  await formCluster(nodes);
  const masters = nodes.slice(0, MASTERS);
  return {
    url: masters.map(({ url }) => url).join(','),
    masters,
    async masterOf(key) {
      // Any node, because one of them may be dead.
      const slot = Number(await Promise.any(nodes.map((node) => send(node, 'CLUSTER', 'KEYSLOT', key))));
      return masters.find((_, i) => slotsOf(i).includes(slot))!;
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()));
    },
  };
}

async function formCluster(nodes: readonly StoreProcess[]): Promise<void> {
  const first = nodes[0]!;
  for (const [i, node] of nodes.entries()) {
    await send(node, 'CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1));
    if (i < MASTERS) await send(node, 'CLUSTER', 'ADDSLOTS', ...slotsOf(i).map(String));
    if (i > 0) await send(first, 'CLUSTER', 'MEET', '127.0.0.1', String(node.port));
  }
  await eventually(async () => {
    const infos = await Promise.all(nodes.map((node) => send(node, 'CLUSTER', 'INFO')));
    const lines = ['cluster_state:ok\r\n', `cluster_known_nodes:${nodes.length}\r\n`];
    return infos.every((info) => lines.every((line) => info.includes(line)));
  }, FORMED_TIMEOUT_MS);
  for (const [i, replica] of nodes.slice(MASTERS).entries()) {
    const master = nodes[i]!;
    await send(replica, 'CLUSTER', 'REPLICATE', await send(master, 'CLUSTER', 'MYID'));
    await eventually(
      async () => (await send(master, 'INFO', 'replication')).includes('state=online'),
      FORMED_TIMEOUT_MS,
    );
  }
}

const slotsOf = (master: number): number[] => {
  const [from, to] = [master, master + 1].map((i) => Math.floor((SLOTS * i) / MASTERS));
  return Array.from({ length: to! - from! }, (_, i) => from! + i);
};

async function freeNodePort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await canListen(port + BUS_PORT_DISTANCE)) return port;
  }
}

/** Sends one command and returns its reply. Throws the error of Redis, or that it cannot be reached. */
async function send({ url }: StoreProcess, ...command: string[]): Promise<string> {
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 5_000 } });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return String(await client.sendCommand(command));
  } finally {
    client.destroy();
  }
}
