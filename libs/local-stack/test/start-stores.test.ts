import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type Stores, startStores } from '../src/index.ts';
import { probe } from '../src/process/tcp-probe.ts';
import { temporaryFolders } from './temporary.ts';

const temporary = temporaryFolders();
const log = () => undefined;

describe('startStores', () => {
  let stores: Stores;
  beforeAll(async () => {
    stores = await startStores({ dataDir: temporary('stores'), log, env: {} });
  });
  afterAll(() => stores.stop());

  it('starts a JetStream that stores large messages in files', async () => {
    const connection = await connect({ servers: stores.natsUrl });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'large', subjects: ['large.>'] });
    const content = new Uint8Array(7 * 1024 * 1024);
    expect((await jetstream(connection).publish('large.one', content)).seq).toBe(1);
    expect((await manager.streams.info('large')).config.storage).toBe('file');
    await connection.close();
  });

  it('uses stores whose URLs are given and does not stop them', async () => {
    const env = { MONGODB_URL: stores.mongoUrl, REDIS_URL: stores.redisUrl, NATS_URL: stores.natsUrl };
    const given = await startStores({ dataDir: temporary('given'), log, env });
    expect(given).toMatchObject({
      ...stores,
      mongo: undefined,
      redis: undefined,
      nats: undefined,
      stop: given.stop,
    });
    await given.stop();
    expect(await probe({ port: stores.redis?.port ?? 0 })).toBe(true);
  });

  it('names the variable whose store does not answer, not the URL', async () => {
    const env = {
      MONGODB_URL: stores.mongoUrl,
      REDIS_URL: 'redis://:secret@127.0.0.1:1',
      NATS_URL: stores.natsUrl,
    };
    const starting = startStores({ dataDir: temporary('wrong'), log, env });
    await expect(starting).rejects.toThrow(/^nothing answers at the address in REDIS_URL$/);
  });

  it('reports in one line that a given port is taken', async () => {
    const port = stores.nats?.port ?? 0;
    const env = { MONGODB_URL: stores.mongoUrl, REDIS_URL: stores.redisUrl };
    const starting = startStores({ dataDir: temporary('taken'), log, env, ports: { nats: port } });
    await expect(starting).rejects.toThrow(new RegExp(`^nats: port ${port} of 127.0.0.1 is taken$`));
  });
});
