import { afterAll, describe, expect, it } from '@jest/globals';
import {
  type ConsumerInfo,
  type JetStreamManager,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventStream } from '@waymark/contracts';
import type { StoreProcess } from '@waymark/local-stack';
import { eventually, patience } from '@waymark/testing';
import { expectNothingLost } from '../crash/support/records.ts';
import { startWriters } from '../crash/support/writers.ts';
import { startClusteredProduct } from './clusters.ts';

const WRITERS = 8;
/** Acknowledged writes before a node is killed, while it is unavailable, and after it has restarted. */
const BETWEEN = 60;
const RECOVERY_LIMIT_MS = patience(30_000);

const clusters = await startClusteredProduct();
const { product, baseUrls } = clusters;
const { key, workspaceId, directory } = product;
const writers = startWriters({ count: WRITERS, baseUrls, key, workspaceId, directory });
afterAll(async () => {
  await writers.stop();
  await clusters.product.stop();
});

async function natsLeader(
  find: (manager: JetStreamManager, stream: string) => Promise<StreamInfo | ConsumerInfo>,
): Promise<StoreProcess> {
  const connection = await connect({ servers: clusters.nats.url.split(',') });
  try {
    const info = await find(await jetstreamManager(connection), eventStream('waymark').name);
    expect(info.cluster!.replicas).toHaveLength(2);
    return clusters.nats.nodes.get(info.cluster!.leader!)!;
  } finally {
    await connection.close();
  }
}
const streamLeader = () => natsLeader(({ streams }, stream) => streams.info(stream));
const consumerLeader = () => natsLeader(({ consumers }, stream) => consumers.info(stream, 'audit'));

/** Waits until events arrive again: until the last acknowledged write has its entry in the audit log. */
async function lastIsAudited(): Promise<void> {
  const { product } = clusters;
  const last = [...writers.ledger.acknowledged.values()].at(-1);
  const query = { workspaceId: product.workspaceId, action: 'decision.create', limit: 500 };
  await eventually(async () => {
    const answer = await product.call('GET', '/audit-log', { query });
    const entries: { resource_id: string }[] = answer.body.data;
    return entries.some((entry) => entry.resource_id === last);
  }, RECOVERY_LIMIT_MS);
}

const victims: [name: string, find: () => Promise<Pick<StoreProcess, 'kill' | 'restart'>>][] = [
  ['the primary of MongoDB', () => clusters.mongo.primary()],
  ['the NATS node that leads the stream', streamLeader],
  ["the NATS node that leads the audit log's consumer", consumerLeader],
  ['the master of Redis with the counters', () => clusters.counterOf(clusters.product.workspaceId)],
];

describe('three gateways and two of each service under writes', () => {
  it.each(victims)('continue within 30 s when %s is killed', async (name, find) => {
    await writers.afterMore(BETWEEN);
    const victim = await find();
    writers.takeSilenceMs();
    const killedAt = performance.now();
    await victim.kill('SIGKILL');
    await writers.afterMore(BETWEEN);
    const silenceMs = writers.takeSilenceMs();
    await lastIsAudited();
    const caughtUpMs = performance.now() - killedAt;
    console.log(
      `${name}: ${Math.round(silenceMs)} ms without an acknowledgement, events through ${Math.round(caughtUpMs)} ms after the kill`,
    );
    expect(silenceMs).toBeLessThan(RECOVERY_LIMIT_MS);
    await victim.restart();
    await writers.afterMore(BETWEEN);
  });

  it('have lost and repeated none of the acknowledged writes', async () => {
    await writers.stop();
    await expectNothingLost(clusters.product, writers.ledger);
  });
});
