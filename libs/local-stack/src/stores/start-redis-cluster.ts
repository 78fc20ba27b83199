import { connect } from 'node:net';
import { join } from 'node:path';
import { canListen, freePort } from '../process/free-port.ts';
import { type ClusterOptions, startCluster, until } from './cluster.ts';
import { startRedis } from './start-redis.ts';
import type { StoreProcess } from './store-process.ts';

export type RedisCluster = {
  /** A URL of each master, separated by commas. */
  url: string;
  masters: readonly StoreProcess[];
  /** Returns the master that was assigned the slot of a key; keys with the same hash tag share a slot. */
  masterOf(key: string): Promise<StoreProcess>;
  stop(): Promise<void>;
};

const MASTERS = 3;
const SLOTS = 16_384;
/** Fixed, because Redis before 7 has no option for it. */
const BUS_PORT_DISTANCE = 10_000;
/** A node counts as failed after this time. It is short to keep failover tests short. */
const NODE_TIMEOUT_MS = 2_000;
const COMMAND_TIMEOUT_MS = 5_000;
const FORMED_TIMEOUT_MS = 30_000;
const CLUSTER = 'Redis Cluster';

/**
 * Starts a Redis Cluster of three masters on this machine, with a replica of each if asked for. Resolves once
 * every node knows all others and all slots are served.
 * @throws Error when redis-server cannot be run as a process of this machine, or the cluster does not form
 * within 30 s.
 */
export function startRedisCluster(
  options: ClusterOptions & {
    withReplicas?: boolean;
    /** Returns the port that a node announces to clients in place of its own. */
    announce?: (port: number) => Promise<number>;
  },
): Promise<RedisCluster> {
  return startCluster('redis', options, async (binary, nodes) => {
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
      async masterOf(key: string) {
        const slot = Number(await anyOf(nodes, `CLUSTER KEYSLOT ${key}`));
        return masters.find((_, i) => slotsOf(i).includes(slot))!;
      },
    };
  });
}

async function formCluster(nodes: readonly StoreProcess[]): Promise<void> {
  const first = nodes[0]!;
  for (const [i, node] of nodes.entries()) {
    await redisCommand(node.port, `CLUSTER SET-CONFIG-EPOCH ${i + 1}`);
    if (i < MASTERS) await redisCommand(node.port, `CLUSTER ADDSLOTS ${slotsOf(i).join(' ')}`);
    if (i > 0) await redisCommand(first.port, `CLUSTER MEET 127.0.0.1 ${node.port}`);
  }
  const everywhere = (...lines: string[]) =>
    until(CLUSTER, FORMED_TIMEOUT_MS, async () => {
      const infos = await Promise.all(nodes.map(({ port }) => redisCommand(port, 'CLUSTER INFO')));
      return infos.every((info) => lines.every((line) => info.includes(`${line}\r\n`)));
    });
  await everywhere('cluster_state:ok', `cluster_known_nodes:${nodes.length}`);
  for (const [i, replica] of nodes.slice(MASTERS).entries()) {
    const master = nodes[i]!;
    const id = await redisCommand(master.port, 'CLUSTER MYID');
    await redisCommand(replica.port, `CLUSTER REPLICATE ${id}`);
    await until(CLUSTER, FORMED_TIMEOUT_MS, async () =>
      (await redisCommand(master.port, 'INFO replication')).includes('state=online'),
    );
  }
}

/** Returns the first reply of any node, because one of them may be dead. */
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

/** Sends one inline command and returns its reply, a status or a string. Throws the error of Redis. */
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
