import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventually, patience, testFolder } from '@waymark/testing';
import { startNatsCluster } from './start-nats-cluster.ts';

/** A file of a limited node may not grow beyond this: its next writes fail, as on a full disk. */
const FILE_BYTES_MAX = 100_000;
const RECOVERY_LIMIT_MS = patience(30_000);
const PAYLOAD = new Uint8Array(2_000);

const directory = testFolder();
const cluster = await startNatsCluster({ dataDir: directory });
const connection = await connect({ servers: cluster.url.split(',') });
const { streams } = await jetstreamManager(connection);
await streams.add({ name: 'events', subjects: ['events.>'], num_replicas: 3 });
afterAll(async () => {
  await connection.close();
  await cluster.stop();
});

const info = async (): Promise<StreamInfo> => (await jetstreamManager(connection)).streams.info('events');
const publish = () => jetstream(connection).publish('events.a', PAYLOAD, { timeout: 2_000 });
const isCurrent = async (node: string) =>
  (await info()).cluster?.replicas?.some(({ name, current }) => name === node && current) ?? false;

describe('the NATS node that leads a stream, with a full disk', () => {
  it('hands the stream over by itself, and follows again after a restart', async () => {
    const stuck = (await info()).cluster!.leader!;
    const node = cluster.nodes.get(stuck)!;
    const limit = (bytes: string | number) =>
      execFileSync('prlimit', ['--pid', String(node.pid), `--fsize=${bytes}:unlimited`]);
    limit(FILE_BYTES_MAX);
    await eventually(async () => {
      await publish().catch(() => undefined);
      const { leader } = (await info()).cluster!;
      return leader !== undefined && leader !== stuck;
    }, RECOVERY_LIMIT_MS);
    limit('unlimited');
    for (let i = 0; i < 100; i += 1) await publish();
    // With space again, the node still stores nothing: its probe must restart it.
    expect(await isCurrent(stuck)).toBe(false);
    await node.kill();
    await node.restart();
    await eventually(() => isCurrent(stuck), RECOVERY_LIMIT_MS);
  });
});
