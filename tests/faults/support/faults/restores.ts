import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { waymark as runWaymark } from '../../../../apps/cli/test/run.ts';
import { secretsFor } from '../../../../dev/secrets.ts';
import type { FaultyProduct } from '../faulty-product.ts';
import type { Fault } from './fault.ts';

const AUDIT = 'waymark_audit';
const COPY = 'waymark_audit_copy';

async function copyCollections(product: FaultyProduct, from: string, to: string): Promise<void> {
  const client = new MongoClient(product.stores.mongo.url);
  try {
    for (const { name } of await client.db(from).listCollections().toArray())
      await client
        .db(from)
        .collection(name)
        .aggregate([{ $out: { db: to, coll: name } }])
        .toArray();
  } finally {
    await client.close();
  }
}

/** Runs a command of the operator until it succeeds: another fault may be in its way. */
async function waymark({ stores, secrets }: FaultyProduct, ...args: string[]): Promise<void> {
  const urls = { MONGODB_URL: stores.mongo.url, NATS_URL: stores.nats.url };
  const env = { ...process.env, ...secretsFor('audit', secrets), ...urls };
  await eventually(async () => {
    const { code, text } = await runWaymark(env, ...args);
    if (code !== 0) throw new Error(`waymark ${args.join(' ')}: ${text}`);
  });
}

/**
 * The audit database set back. The only fault that needs an operator, who follows docs/operating/restore.md.
 */
export const auditRestore: Fault = {
  name: 'audit database set back',
  targets: ['audit', 'mongo', 'nats'],
  async begin(product) {
    await product.processOf('audit').kill('SIGSTOP');
    await eventually(() => copyCollections(product, AUDIT, COPY));
    await product.processOf('audit').kill('SIGCONT');
  },
  async end(product) {
    await product.processOf('audit').kill('SIGKILL');
    await eventually(() => copyCollections(product, COPY, AUDIT));
    await product.processOf('audit').restart();
    // Creates the databases of the services that are not part of the test.
    await waymark(product, 'migrate');
    await waymark(product, 'audit', 'refill');
    await waymark(product, 'audit', 'resume', '--all');
  },
};

/** The folder of NATS set back: services publish its latest events again. */
export const natsRestore: Fault = {
  name: 'nats set back',
  targets: ['nats'],
  async begin({ stores, directory }) {
    await stores.nats.kill('SIGSTOP');
    await cp(folderOf(directory), `${folderOf(directory)}-copy`, { recursive: true });
    await stores.nats.kill('SIGCONT');
  },
  async end({ disk, stores, directory, supervisor }) {
    await supervisor.pause();
    await stores.nats.kill('SIGKILL');
    await rm(folderOf(directory), { recursive: true });
    await cp(`${folderOf(directory)}-copy`, folderOf(directory), { recursive: true });
    await rm(`${folderOf(directory)}-copy`, { recursive: true });
    // A power cut soon after would lose copied files that NATS does not write again.
    disk?.sync();
    supervisor.resume();
  },
};

const folderOf = (directory: string) => join(directory, 'data', 'nats', 'jetstream');
