import { afterAll, describe, expect, it } from '@jest/globals';
import { storingServices } from '@waymark/contracts';
import { startStores } from '@waymark/local-stack';
import { type Answer, eventually, startWebhookReceiver, testFolder } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { CANARY, type CanaryCall, canaryCalls } from './support/canary-calls.ts';
import { startProduct } from './support/product.ts';
import { recordedLog } from './support/recorded-log.ts';

/** A service logs an internal failure with its error, and errors often contain the data that they concern. */
const { log, lines } = recordedLog();

let hasFault = false;
const dataDir = testFolder();
const stores = await startStores({ dataDir, log: () => undefined, env: {} });
const urls = { MONGODB_URL: stores.mongoUrl, REDIS_URL: stores.redisUrl, NATS_URL: stores.natsUrl };
const checkpoint = (point: string) => {
  if (hasFault && point === 'committed') throw new Error('broken on purpose');
};
const product = await startProduct({ ...urls, LOG_LEVEL: 'trace' }, { log, checkpoint });
const receiver = await startWebhookReceiver();
afterAll(async () => {
  await product.stop();
  await receiver.stop();
  await stores.stop();
});

/** Log lines of failed requests with an error. */
const failures = () => lines.filter((line) => line.includes('"request failed"') && line.includes('"err":{'));
const countOf = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

async function inOrder(calls: CanaryCall[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { send } of calls) answers.push(await send());
  return answers;
}

/** Makes every collection refuse text where users write some. The store's error then contains the value. */
async function refuseTexts(isRefused: boolean): Promise<void> {
  const properties = Object.fromEntries(
    ['name', 'title', 'content', 'description'].map((name) => [name, { bsonType: 'int' }]),
  );
  const mongo = new MongoClient(stores.mongoUrl);
  for (const service of storingServices) {
    const db = mongo.db(`${product.env['NATS_PREFIX']}_${service}`);
    for (const { name } of await db.listCollections().toArray())
      await db.command({ collMod: name, validator: isRefused ? { $jsonSchema: { properties } } : {} });
  }
  await mongo.close();
}

describe('no log line contains the input of an operation', () => {
  it('when its handler throws', async () => {
    const calls = await canaryCalls(product, receiver.url);
    lines.length = 0;
    hasFault = true;
    const answers = await inOrder(calls);
    hasFault = false;
    expect(countOf(answers, 500)).toBeGreaterThan(30);
    expect(failures().length).toBeGreaterThanOrEqual(countOf(answers, 500));
    expect(lines.join('')).not.toContain(CANARY);
  });

  it('when a store refuses the input and returns it in the error', async () => {
    const calls = await canaryCalls(product, receiver.url);
    await refuseTexts(true);
    lines.length = 0;
    const answers = await inOrder(calls);
    await refuseTexts(false);
    expect(countOf(answers, 500)).toBeGreaterThan(8);
    expect(failures().length).toBeGreaterThanOrEqual(countOf(answers, 500));
    expect(lines.join('')).not.toContain(CANARY);
  });

  it('when one store is unavailable, and when all are', async () => {
    const calls = await canaryCalls(product, receiver.url);
    lines.length = 0;
    try {
      for (const away of [[stores.mongo!], [stores.nats!, stores.redis!]]) {
        await Promise.all(away.map((store) => store.kill()));
        const answers = await Promise.all(calls.map(({ send }) => send()));
        expect(countOf(answers, 503)).toBeGreaterThan(30);
      }
    } finally {
      await Promise.all([stores.mongo!, stores.nats!, stores.redis!].map((store) => store.restart()));
      await eventually(async () => {
        const before = product.events.length;
        await product.signUp();
        await eventually(() => product.events.length > before);
      });
    }
    expect(failures().length).toBeGreaterThan(30);
    expect(lines.join('')).not.toContain(CANARY);
  });
});
