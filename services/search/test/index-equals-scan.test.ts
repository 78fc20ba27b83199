import { afterAll, describe, expect, it } from '@jest/globals';
import { newId, type SearchGroup } from '@waymark/contracts';
import { openService } from '@waymark/service-kit/service';
import { eventually, patience, testEnvironment } from '@waymark/testing';
import fc from 'fast-check';
import { readConfig } from '../src/config.ts';
import { localIndexes } from '../src/index/local-indexes.ts';
import { type Change, changesOf } from '../src/projection/events.ts';
import { isTopic, kinds, messagesOn, type Topic } from '../src/projection/item.ts';
import { type Found, findHits } from '../src/query/find-hits.ts';
import { rebuildProjection } from '../src/rebuild.ts';
import { schema } from '../src/schema.ts';
import { openStore } from '../src/store/index.ts';
import { fold } from '../src/text/fold.ts';
import { dataServices } from './data-services.ts';
import { aDecision, afterDeletion, aMessage, aNode, anEvent, aWorkflow } from './records.ts';
import { trickyQuery, trickyText } from './tricky-text.ts';

const data = await dataServices();
const config = readConfig({ ...testEnvironment(), MONGODB_DATABASE: `t${newId()}`, ...data.env });
const runtime = openService(schema, config);
const { database, log, now } = runtime;
await database.ready;
const store = openStore(database, now);
const { indexMebibytes: maxBytes, indexMemoryMebibytes: maxMemoryBytes } = config;
const indexes = localIndexes({ store, threads: 1, maxBytes, maxMemoryBytes, log, now });
afterAll(async () => {
  await indexes.stop();
  await runtime.database.db.dropDatabase();
  await runtime.close();
});

const unhurried = { maxTimeMS: patience(240_000) };

interface Step {
  kind: (typeof kinds)[number];
  /** The number of the record within its kind. */
  index: number;
  text: string;
  isRemoval: boolean;
}

const RECORDS = 6;
const step = (): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    index: fc.nat({ max: RECORDS - 1 }),
    text: trickyText(10),
    isRemoval: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  });

/**
 * Returns the changes of a workspace and the live records that result. Deleting a topic deletes its
 * messages, also those posted before the threads service learns of it; messages of before stay deleted when
 * it is restored.
 */
function historyOf(workspaceId: string, steps: Step[]) {
  const ids = Object.fromEntries(kinds.map((kind) => [kind, Array.from({ length: RECORDS }, () => newId())]));
  const startMs = Date.now();
  const live = new Map<string, Step & { createdMs: number }>();
  const born = new Map<string, number>();
  const versions = new Map<string, number>();
  const lives = new Map<string, { generation: number; deletion: number | null }>();
  const lifeOf = (topicId: string) => lives.get(topicId) ?? { generation: 0, deletion: null };
  const changes: Change[] = [];
  for (const { kind, index, text, isRemoval } of steps) {
    const id = ids[kind]![index]!;
    const parent = index % 2 === 0 ? 0 : 1;
    const version = (versions.get(id) ?? 0) + 1;
    versions.set(id, version);
    // A restored record has a new time.
    if (!live.has(id)) born.set(id, startMs + versions.size * 10 + changes.length * 1_000);
    const createdMs = born.get(id)!;
    const given = { id, title: text, version, created_at: new Date(createdMs).toISOString() };
    const workflow_id = ids['workflow']![parent]!;
    const topicKind = kind === 'decision_message' ? 'decision' : 'node';
    const topicId = ids[topicKind]![parent]!;
    const isMessage = kind === messagesOn[topicKind];
    const of = { node_id: null, decision_id: null, [`${topicKind}_id`]: topicId };
    const posted = () => {
      const message = aMessage(null, text, { id, created_at: given.created_at, ...of });
      const event = anEvent('thread.message_updated', workspaceId, message, version);
      return afterDeletion(event, lifeOf(topicId).generation);
    };
    const event = {
      decision: () => anEvent('decision.updated', workspaceId, aDecision(workspaceId, given)),
      workflow: () => anEvent('workflow.updated', workspaceId, aWorkflow(workspaceId, given)),
      node: () => anEvent('node.updated', workspaceId, aNode(workspaceId, { ...given, workflow_id })),
      message: posted,
      decision_message: posted,
    }[kind]();
    const gone = { id, workflow_id, thread_id: newId(), ...of };
    const deletion = anEvent(
      (isMessage ? 'thread.message_deleted' : `${kind}.deleted`) as 'node.deleted',
      workspaceId,
      gone,
      version,
    );
    changes.push(...changesOf(isRemoval ? deletion : event));
    const { generation, deletion: lastDeletion } = lifeOf(id);
    if (isTopic(kind) && isRemoval) {
      lives.set(id, { generation, deletion: version });
      for (const [messageId, message] of live)
        if (message.kind === messagesOn[kind] && ids[kind]![message.index % 2 === 0 ? 0 : 1] === id)
          live.delete(messageId);
    } else if (isTopic(kind) && lastDeletion !== null) {
      lives.set(id, { generation: lastDeletion, deletion: null });
    }
    const isOrphan = isMessage && lifeOf(topicId).deletion !== null;
    if (isRemoval || isOrphan) live.delete(id);
    else live.set(id, { kind, index, text, isRemoval, createdMs });
  }
  return { changes, live, ids };
}

/** The expected hits by a straightforward search: by group, newest first. */
function expectedOf({ live, ids }: ReturnType<typeof historyOf>, q: string): Record<SearchGroup, string[]> {
  const matching = [...live].filter(([, { text }]) => fold(text).includes(q));
  const newestFirst = (hits: [string, number][]) => hits.sort(([, a], [, b]) => b - a).map(([id]) => id);
  const of = (kind: string) =>
    newestFirst(
      matching.filter(([, hit]) => hit.kind === kind).map(([id, { createdMs }]) => [id, createdMs]),
    );
  function ofTopics(topic: Topic) {
    const found = new Map<string, number>();
    for (const [id, { kind, index, createdMs }] of matching) {
      const topicId = kind === topic ? id : ids[topic]![index % 2 === 0 ? 0 : 1]!;
      if ((kind === topic || kind === messagesOn[topic]) && live.has(topicId)) {
        found.set(topicId, Math.max(found.get(topicId) ?? 0, createdMs));
      }
    }
    return newestFirst([...found]);
  }
  return { nodes: ofTopics('node'), decisions: ofTopics('decision'), workflows: of('workflow') };
}

const idsOf = ({ nodes, decisions, workflows }: Found) => ({
  nodes: nodes.hits.map(({ id }) => id),
  decisions: decisions.hits.map(({ id }) => id),
  workflows: workflows.hits.map(({ id }) => id),
});

const whole = (q: string) => ({ q, limit: 100, group: null, before: null });

async function indexed(workspaceId: string, q: string, limit = 100): Promise<Found> {
  return eventually(async () => {
    const state = (await store.state(workspaceId))!;
    const request = { ...whole(q), limit };
    const found = await indexes.find(workspaceId, state, request);
    if (!found) throw new Error('the index was not built yet');
    return found;
  });
}

describe('changes for an index', () => {
  it('are complete, in portions that occupy a thread briefly, however long the texts', async () => {
    const workspaceId = newId();
    const text = 'text '.repeat(30_000);
    const written = Array.from({ length: 12 }, () => aDecision(workspaceId, { description: text }));
    const events = written.map((decision) => anEvent('decision.created', workspaceId, decision));
    await store.project(workspaceId, events.flatMap(changesOf));
    const portions: string[][] = [];
    for await (const { changes } of store.changesAfter(workspaceId, 0, 1_000))
      portions.push(changes.map(({ id }) => id));
    expect(portions.flat().sort()).toEqual(written.map(({ id }) => id).sort());
    // Each text counts twice, original and folded: four of them reach a mebibyte.
    expect(Math.max(...portions.map(({ length }) => length))).toBe(4);
  });
});

describe('an index', () => {
  it('finds exactly what a scan finds, for any events in any order', async () => {
    const history = fc.array(step(), { minLength: 1, maxLength: 40, size: 'max' }).chain((steps) => {
      const texts = steps.map(({ text }) => text);
      return fc.record({
        steps: fc.constant(steps),
        order: fc.shuffledSubarray([...steps.keys(), ...steps.keys()], { minLength: steps.length * 2 }),
        batch: fc.integer({ min: 1, max: 15 }),
        queries: fc.array(trickyQuery(texts), { minLength: 1, maxLength: 6 }),
        limit: fc.integer({ min: 1, max: 4 }),
      });
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, order, batch, queries, limit }) => {
        const workspaceId = newId();
        const truth = historyOf(workspaceId, steps);
        const deliveries = order.filter((i) => i < truth.changes.length).map((i) => truth.changes[i]!);
        const folded = queries.map(fold);
        for (let at = 0; at < deliveries.length; at += batch) {
          await store.project(workspaceId, deliveries.slice(at, at + batch));
          const q = folded[at % folded.length]!;
          const scanned = await findHits(store.scan(workspaceId, unhurried), { ...whole(q), limit });
          expect(await indexed(workspaceId, q, limit)).toEqual(scanned);
        }
        for (const q of folded) {
          const scanned = await findHits(store.scan(workspaceId, unhurried), whole(q));
          expect(await indexed(workspaceId, q)).toEqual(scanned);
          expect({ q, ...idsOf(scanned) }).toEqual({ q, ...expectedOf(truth, q) });
        }
      }),
      { seed: 20_251_121, numRuns: 20 },
    );
  });

  it('agrees with a scan during rebuilds, which also apply changes that no event announced', async () => {
    const workspaceId = newId();
    const fresh = (i: number) =>
      data.add(workspaceId, {
        workflow: 'Straße',
        node: 'Straße 漢字',
        decision: `İstanbul STRASSE ${i % 3}`,
        message: `ﬁn ${i % 3} der Straße`,
      });
    let isOver = false;
    let compared = 0;
    const rounds = 2;
    const queries = ['istanbul', 'STRASSE', 'ß', '漢字', 'FIN 2', 'qq', 'z'].map(fold);
    async function compare() {
      for (let i = 0; !isOver; i += 1) {
        const request = { ...whole(queries[i % queries.length]!), limit: 1 + (i % 30) };
        const before = await store.state(workspaceId);
        if (!before) continue;
        const scanned = await findHits(store.scan(workspaceId, unhurried), request);
        const found = await indexes.find(workspaceId, before, request);
        if (!found || JSON.stringify(await store.state(workspaceId)) !== JSON.stringify(before)) continue;
        expect(found).toEqual(scanned);
      }
    }
    /** Between two kinds the rebuild pauses, so that results do not change. */
    async function compareMidway() {
      const request = { q: queries[compared % queries.length]!, limit: 1 + (compared % 30) };
      const scanned = await findHits(store.scan(workspaceId, unhurried), {
        ...whole(request.q),
        limit: request.limit,
      });
      expect(await indexed(workspaceId, request.q, request.limit)).toEqual(scanned);
      compared += 1;
    }
    async function rebuild() {
      for (let round = 0; round < rounds; round += 1) {
        for (let i = 0; i < 80; i += 1) fresh(i);
        for (const id of [...data.decisions.keys()].slice(0, 30)) data.decisions.delete(id);
        for await (const { kind, read } of rebuildProjection(store, runtime.call)) {
          expect([kind, read]).toEqual([kind, kind === 'decision_message' ? 0 : data[`${kind}s`].size]);
          await compareMidway();
        }
      }
    }
    const rebuilding = rebuild().finally(() => {
      isOver = true;
    });
    await Promise.all([rebuilding, compare()]);
    expect(compared).toBe(rounds * kinds.length);
    const { decisions, nodes } = await indexed(workspaceId, fold('straße'), 500);
    const counts = [decisions, nodes].map(({ hits }) => hits.length);
    expect(counts).toEqual([data.decisions.size, data.nodes.size]);
  });
});
