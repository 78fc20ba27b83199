import { connect } from 'node:net';
import { join } from 'node:path';
import { acquireBinary } from '../acquire/acquire-binary.ts';
import { storeBinaries } from '../acquire/binaries.ts';
import { canListen, freePort } from '../process/free-port.ts';
import { startRedis } from './start-redis.ts';
import type { StoreProcess } from './store-process.ts';

export type RedisCluster = {
  /** A URL of each master, separated by commas. */
  url: string;
  masters: readonly StoreProcess[];
  /** The master that was given the slot of a key; keys of one hash tag lie together. */
  masterOf(key: string): Promise<StoreProcess>;
  stop(): Promise<void>;
};

const MASTERS = 3;
const SLOTS = 16_384;
/** Redis before 7 has no option for it. */
const BUS_PORT_DISTANCE = 10_000;
/** After which a node counts as failed: short, so that a test of a failover is. */
const NODE_TIMEOUT_MS = 2_000;
const COMMAND_TIMEOUT_MS = 5_000;
const FORMED_TIMEOUT_MS = 30_000;
const LOOK_MS = 100;

/**
 * Starts a Redis Cluster of three masters on this machine, with a replica of each if asked for. Resolves once every
 * node knows all others and all slots are served.
 * @throws Error when redis-server cannot be had as a process of this machine, or the cluster does not form within 30 s.
 */
export async function startRedisCluster(options: {
  /** The checkout: a fetched server is kept in its .waymark/bin. */
  root: string;
  dataDir: string;
  withReplicas?: boolean;
  /** Gives the port that clients are told in place of a node's own. */
  announce?: (port: number) => Promise<number>;
}): Promise<RedisCluster> {
  const say = (line: string) => console.error(line);
  const binary = await acquireBinary(storeBinaries.redis, join(options.root, '.waymark', 'bin'), say);
  // Nodes of a cluster tell clients each other's addresses, which are others inside containers.
  if (typeof binary !== 'string') throw new Error('a Redis Cluster needs redis-server on this machine');
  const nodes: StoreProcess[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
  };
  try {
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
  } catch (error) {
    await stop();
    throw error;
  }
  const masters = nodes.slice(0, MASTERS);
  return {
    url: masters.map(({ url }) => url).join(','),
    masters,
    async masterOf(key) {
      const slot = Number(await anyOf(nodes, `CLUSTER KEYSLOT ${key}`));
      return masters.find((_, i) => slotsOf(i).includes(slot))!;
    },
    stop,
  };
}

async function formCluster(nodes: readonly StoreProcess[]): Promise<void> {
  const first = nodes[0]!;
  for (const [i, node] of nodes.entries()) {
    await redisCommand(node.port, `CLUSTER SET-CONFIG-EPOCH ${i + 1}`);
    if (i < MASTERS) await redisCommand(node.port, `CLUSTER ADDSLOTS ${slotsOf(i).join(' ')}`);
    if (i > 0) await redisCommand(first.port, `CLUSTER MEET 127.0.0.1 ${node.port}`);
  }
  const everywhere = (...lines: string[]) =>
    until(async () => {
      const told = await Promise.all(nodes.map(({ port }) => redisCommand(port, 'CLUSTER INFO')));
      return told.every((info) => lines.every((line) => info.includes(`${line}\r\n`)));
    });
  await everywhere('cluster_state:ok', `cluster_known_nodes:${nodes.length}`);
  for (const [i, replica] of nodes.slice(MASTERS).entries()) {
    const master = nodes[i]!;
    const id = await redisCommand(master.port, 'CLUSTER MYID');
    await redisCommand(replica.port, `CLUSTER REPLICATE ${id}`);
    await until(async () => (await redisCommand(master.port, 'INFO replication')).includes('state=online'));
  }
}

/** What the first node says that answers: one of them may be dead. */
const anyOf = (nodes: readonly StoreProcess[], command: string): Promise<string> =>
  Promise.any(nodes.map(({ port }) => redisCommand(port, command)));

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

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + FORMED_TIMEOUT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`no Redis Cluster within ${FORMED_TIMEOUT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Sends one inline command and gives its reply, a status or a text. Throws what Redis refuses it with. */
function redisCommand(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: COMMAND_TIMEOUT_MS });
    let reply = '';
    const settle = (act: () => void) => {
      socket.destroy();
      act();
    };
    socket.setEncoding('latin1');
    socket.once('connect', () => socket.write(`${command}\r\n`));
    socket.on('data', (text: string) => {
      reply += text;
      const end = reply.indexOf('\r\n');
      if (end < 0) return;
      const line = reply.slice(1, end);
      if (reply[0] === '-') settle(() => reject(new Error(`${command.slice(0, 30)}: ${line}`)));
      else if (reply[0] !== '$') settle(() => resolve(line));
      else if (reply.length >= end + 4 + Number(line)) {
        settle(() => resolve(reply.slice(end + 2, end + 2 + Number(line))));
      }
    });
    socket.once('error', (error) => settle(() => reject(error)));
    socket.once('timeout', () => settle(() => reject(new Error(`${command.slice(0, 30)}: no reply`))));
  });
}
