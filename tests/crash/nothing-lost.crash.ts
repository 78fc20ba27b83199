import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Decision, ServiceName } from '@waymark/contracts';
import { eventually, httpCall } from '@waymark/testing';
import { type ProductProcesses, startProductProcesses } from './product-processes.ts';
import { seeded } from './seeded.ts';
import { startWriters } from './writers.ts';

const SEED = Number(process.env['CRASH_SEED'] ?? 20261121);
const KILLS = Number(process.env['CRASH_KILLS'] ?? 24);
const WRITERS = 8;
/** Acknowledged writes between two kills: the load goes on while the victim is away and comes back. */
const BETWEEN_KILLS = [10, 60] as const;

let product: ProductProcesses;
beforeAll(async () => {
  product = await startProductProcesses({
    entries: { decisions: 'tests/crash/decisions-main.ts', audit: 'tests/crash/audit-main.ts' },
  });
}, 120_000);
afterAll(() => product.stop(), 60_000);

const processOf = (name: ServiceName) =>
  product.services.processes.find(({ service }) => service === name)!.process;

function writersOf() {
  const { services, key, workspaceId } = product;
  return startWriters({ count: WRITERS, baseUrl: services.baseUrl, key, workspaceId });
}

async function killService(name: ServiceName): Promise<void> {
  const service = processOf(name);
  await service.kill('SIGKILL');
  await service.restart();
}

/** Arms a service's crash point and waits until it has run into it. */
async function crashAtPoint(name: 'decisions' | 'audit'): Promise<void> {
  const service = processOf(name);
  await writeFile(join(product.directory, `crash-${name}`), '');
  await service.exited;
  await service.restart();
}

async function killStore(name: 'mongo' | 'nats' | 'redis'): Promise<void> {
  const store = product.stores[name]!;
  await store.kill('SIGKILL');
  await store.restart();
}

const victims: [name: string, kill: () => Promise<void>][] = [
  ['decisions', () => killService('decisions')],
  ['audit', () => killService('audit')],
  ['accounts', () => killService('accounts')],
  ['gateway', () => killService('gateway')],
  ['nats', () => killStore('nats')],
  ['mongo', () => killStore('mongo')],
  ['redis', () => killStore('redis')],
];

async function allDecisions(): Promise<Decision[]> {
  const found: Decision[] = [];
  let cursor: string | null = null;
  do {
    const answer = await httpCall(product.services.baseUrl, 'GET', '/decisions', {
      query: { workspaceId: product.workspaceId, limit: 500, ...(cursor && { cursor }) },
      headers: { authorization: `Bearer ${product.key}` },
    });
    found.push(...answer.body.decisions);
    cursor = answer.body.next_cursor;
  } while (cursor);
  return found;
}

interface Line {
  action?: string;
  resource_id?: string;
}

async function auditedDecisions(): Promise<string[]> {
  const answer = await httpCall(product.services.baseUrl, 'GET', '/audit-log/export', {
    query: { workspaceId: product.workspaceId },
    headers: { authorization: `Bearer ${product.key}` },
  });
  const lines = answer.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return lines.filter((line) => line.action === 'decision.create').map((line) => line.resource_id!);
}

/** What one list has and the other lacks, and what a list has twice: short to print, empty when they match one to one. */
function differences(left: string[], right: string[]) {
  const twice = (ids: string[]) => ids.filter((id, i) => ids.indexOf(id) !== i);
  const [inLeft, inRight] = [new Set(left), new Set(right)];
  return {
    onlyLeft: left.filter((id) => !inRight.has(id)),
    onlyRight: right.filter((id) => !inLeft.has(id)),
    twice: [...twice(left), ...twice(right)],
  };
}
const none = { onlyLeft: [], onlyRight: [], twice: [] };

describe(`${KILLS} kills under load (seed ${SEED})`, () => {
  it('lose no acknowledged write nor its audit entry, and repeat none', async () => {
    const random = seeded(SEED);
    const writers = writersOf();
    const [least, most] = BETWEEN_KILLS;
    for (let i = 0; i < KILLS; i += 1) {
      await writers.afterMore(least + Math.floor(random() * (most - least)));
      const [, kill] = victims[Math.floor(random() * victims.length)]!;
      await kill();
    }
    await writers.stop();

    const acknowledged = [...writers.ledger.acknowledged.values()];
    const stored = (await allDecisions()).map((decision) => decision.id);
    expect(differences(stored, acknowledged)).toEqual(none);
    await eventually(async () => {
      expect(differences(await auditedDecisions(), acknowledged)).toEqual(none);
    }, 30_000);
    const verified = await httpCall(product.services.baseUrl, 'GET', '/audit-log/verify', {
      query: { workspaceId: product.workspaceId },
      headers: { authorization: `Bearer ${product.key}` },
    });
    expect(verified.body).toMatchObject({ valid: true, fault: null });
    console.log(
      `${acknowledged.length} writes acknowledged, ${writers.ledger.unknown} answers unknown and repeated`,
    );
  }, 300_000);
});

describe.each(['decisions', 'audit'] as const)('a crash of %s at its worst point', (name) => {
  it('loses nothing and repeats nothing', async () => {
    const before = (await allDecisions()).length;
    const writers = writersOf();
    for (let i = 0; i < 4; i += 1) {
      await writers.afterMore(20);
      await crashAtPoint(name);
    }
    await writers.stop();
    const stored = (await allDecisions()).map((decision) => decision.id);
    expect(stored.length).toBe(before + writers.ledger.acknowledged.size);
    await eventually(async () => expect(differences(await auditedDecisions(), stored)).toEqual(none), 30_000);
  }, 180_000);
});
