import { describe, expect, it } from '@jest/globals';
import { type Decision, type KeyPrincipal, limits, newId } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { startDecisions } from '../src/service.ts';
import { startSuite } from './suite.ts';

const RACES = 3;

const suite = await startSuite();

type Key = KeyPrincipal;
const linksOf = async (key: Key, { id }: Pick<Decision, 'id'>, query = {}) =>
  (await suite.get(key, `/decisions/${id}/links`, query)).body;
const remove = (key: Key, { id }: Decision) => suite.remove(key, id);

/** Creates decisions of which each supersedes the previous one. */
async function chainOf(key: Key, titles: string[]): Promise<Decision[]> {
  const made: Decision[] = [];
  for (const title of titles) {
    made.push(await suite.create(key, { title, supersedes: made.at(-1)?.id ?? null }));
  }
  return made;
}

/** Stores copies of a new decision, each with the link to another that `supersedes` returns. */
async function stored(key: Key, count: number, supersedes: (ids: string[], i: number) => string | null) {
  const decisions = suite.collection('decisions');
  const { id } = await suite.create(key);
  const { _id, ...model } = (await decisions.findOneAndDelete({ _id: id }))!;
  const ids = Array.from({ length: count }, () => newId());
  const links = ids.map((one, i) => ({ ...model, _id: one, supersedes: supersedes(ids, i) }));
  await decisions.insertMany(links);
  return ids;
}
const storedChain = (key: Key, length: number) => stored(key, length, (ids, i) => ids[i - 1] ?? null);

describe('GET /decisions/{id}/links', () => {
  it('returns only the decision itself if it has no links', async () => {
    const key = keyPrincipal();
    const alone = await suite.create(key, { title: 'Alone' });
    await suite.create(key, { title: 'Another' });
    const self = { decision_id: alone.id, title: 'Alone', status: 'proposed', steps: 0 };
    const expected = { data: [], chain: [self], chain_complete: true, next_cursor: null };
    expect(await linksOf(key, alone)).toEqual(expected);
  });

  it('returns both directions of supersedes, and relations from either side', async () => {
    const key = keyPrincipal();
    const [old, current] = (await chainOf(key, ['Old', 'Current'])) as [Decision, Decision];
    const friend = await suite.create(key, { title: 'Friend', status: 'accepted', relatesTo: [current.id] });
    expect(friend.relates_to).toEqual([current.id]);
    const link = ({ id, title, status }: Decision, kind: string) => ({
      decision_id: id,
      title,
      status,
      kind,
    });
    expect((await linksOf(key, current)).data).toEqual([link(friend, 'relates'), link(old, 'supersedes')]);
    expect((await linksOf(key, old)).data).toEqual([link(current, 'superseded_by')]);
    expect((await linksOf(key, friend)).data).toEqual([link(current, 'relates')]);

    // A relation that both decisions name, or that accompanies another link, is listed once per kind.
    await suite.patch(key, current.id, { relatesTo: [friend.id, old.id] });
    expect((await linksOf(key, current)).data).toEqual([
      link(friend, 'relates'),
      link(old, 'supersedes'),
      link(old, 'relates'),
    ]);
  });

  it('pages by linked decision', async () => {
    const key = keyPrincipal();
    const hub = await suite.create(key, { title: 'Hub' });
    const spokes: string[] = [];
    for (const title of ['a', 'b', 'c', 'd', 'e']) {
      spokes.unshift((await suite.create(key, { title, relatesTo: [hub.id] })).id);
    }
    const seen = await suite.pages(key, `/decisions/${hub.id}/links`, { limit: 2 });
    expect(seen.map(({ decision_id }) => decision_id)).toEqual(spokes);
  });

  it('follows the chain in both directions, latest first, with branches in the same step', async () => {
    const key = keyPrincipal();
    const [a, b, c] = (await chainOf(key, ['A', 'B', 'C'])) as [Decision, Decision, Decision];
    const twin = await suite.create(key, { title: 'B2', supersedes: a.id });
    const chain = async (decision: Decision) =>
      (await linksOf(key, decision)).chain.map((entry: { title: string; steps: number }) =>
        [entry.title, entry.steps].join(' '),
      );
    expect(await chain(b)).toEqual(['C 1', 'B 0', 'A -1']);
    expect(await chain(c)).toEqual(['C 0', 'B -1', 'A -2']);
    expect(await chain(a)).toEqual(['C 2', 'B2 1', 'B 1', 'A 0']);
    expect(await chain(twin)).toEqual(['B2 0', 'A -1']);
  });

  it('reports a chain that is longer than the returned part', async () => {
    const key = keyPrincipal();
    const root = await suite.create(key, { title: 'Root' });
    await stored(key, limits.supersedesChain + 1, () => root.id);
    const { chain, chain_complete } = await linksOf(key, root);
    expect([chain.length, chain_complete]).toEqual([limits.supersedesChain + 1, false]);
  });

  it('omits a deleted decision that another still names', async () => {
    const key = keyPrincipal();
    const [old, middle, current] = (await chainOf(key, ['Old', 'Middle', 'Current'])) as Decision[];
    await suite.patch(key, current!.id, { relatesTo: [old!.id] });
    expect((await remove(key, middle!)).status).toBe(204);
    expect((await remove(key, old!)).status).toBe(204);
    const stored = (await suite.get(key, `/decisions/${current!.id}`)).body;
    expect(stored).toMatchObject({ supersedes: middle!.id, relates_to: [old!.id], version: 2 });
    const { data, chain } = await linksOf(key, current!);
    expect([data, chain.length]).toEqual([[], 1]);
    // A dangling link does not prevent other changes.
    const answer = await suite.patch(key, current!.id, {
      title: 'Now',
      relatesTo: [old!.id],
      supersedes: middle!.id,
    });
    expect(answer.status).toBe(200);
  });

  it('returns nothing about a decision of another workspace that names this one', async () => {
    const key = keyPrincipal();
    const mine = await suite.create(key, { title: 'Mine' });
    const foreign = await suite.create(keyPrincipal(), { title: 'Foreign' });
    const links = { $set: { supersedes: mine.id, relates_to: [mine.id] } };
    await suite.collection('decisions').updateOne({ _id: foreign.id }, links);
    const { data, chain } = await linksOf(key, mine);
    expect([data, chain.length]).toEqual([[], 1]);
  });
});

describe('writing links', () => {
  it('refuses a cycle of any length and names it', async () => {
    const key = keyPrincipal();
    const [a, , c] = (await chainOf(key, ['A', 'B', 'C'])) as [Decision, Decision, Decision];
    const answer = await suite.patch(key, a.id, { supersedes: c.id });
    expect([answer.status, answer.body.error]).toEqual([409, 'CONFLICT']);
    expect(answer.body.message).toContain('"A" -> "C" -> "B" -> "A"');
    expect(answer.body.issues[0].path).toBe('supersedes');
    expect((await suite.get(key, `/decisions/${a.id}`)).body).toEqual(a);
  });

  it('refuses only the changes that would close a cycle, when several changes race', async () => {
    const key = keyPrincipal();
    for (let round = 0; round < 3; round += 1) {
      const ring = await Promise.all(['A', 'B', 'C', 'D'].map((title) => suite.create(key, { title })));
      const answers = await Promise.all(
        ring.map(({ id }, i) => suite.patch(key, id, { supersedes: ring[(i + 1) % ring.length]!.id })),
      );
      expect(answers.map(({ status }) => status).sort((x, y) => x - y)).toEqual([200, 200, 200, 409]);
    }
  });

  it('refuses a chain that is too long', async () => {
    const key = keyPrincipal();
    const id = (await storedChain(key, limits.supersedesChain + 1)).at(-1)!;
    const answer = await suite.post(key, { title: 'One more', supersedes: id });
    expect([answer.status, answer.body.error]).toEqual([409, 'LIMIT_EXCEEDED']);
    const { chain, chain_complete } = await linksOf(key, { id });
    expect([chain.length, chain_complete]).toEqual([limits.supersedesChain + 1, true]);
  });

  it('extends a chain that is one short of the limit at one end only, when two replicas race', async () => {
    const key = keyPrincipal();
    const chain = await storedChain(key, limits.supersedesChain);
    const [lowest, highest] = [chain[0]!, chain.at(-1)!];
    const older = await suite.create(key, { title: 'Older' });
    const query = { workspaceId: key.workspace_id };
    const replica = await startDecisions({ ...suite.one.env, PORT: '0', ADMIN_PORT: '0' });
    try {
      await replica.ready;
      for (let round = 0; round < RACES; round += 1) {
        const [above, below] = await Promise.all([
          suite.post(key, { title: 'Newer', supersedes: highest }),
          suite.one.callAt(replica.url, key, 'PATCH', `/decisions/${lowest}`, {
            query,
            body: { supersedes: older.id },
          }),
        ]);
        const statuses = [above.status, below.status];
        expect([
          [201, 409],
          [409, 200],
        ]).toContainEqual(statuses);
        if (above.status === 201) await remove(key, above.body);
        else await suite.patch(key, lowest, { supersedes: null });
      }
    } finally {
      await replica.stop();
    }
  });

  it('counts both parts when two chains are joined', async () => {
    const key = keyPrincipal();
    const half = limits.supersedesChain / 2 + 1;
    const [below, above] = [await storedChain(key, half), await storedChain(key, half)];
    const answer = await suite.patch(key, above[0]!, { supersedes: below.at(-1)! });
    expect([answer.status, answer.body.error]).toEqual([409, 'LIMIT_EXCEEDED']);
    expect((await suite.patch(key, above[0]!, { supersedes: below.at(-2)! })).status).toBe(200);
  });

  it.each<[string, string, (own: Decision, foreign: Decision) => object]>([
    ['supersedes', 'the decision itself', ({ id }) => ({ supersedes: id })],
    ['relatesTo.0', 'the decision itself', (own) => ({ relatesTo: [own.id] })],
    ['relatesTo.1', 'what is nowhere', (_, foreign) => ({ relatesTo: [foreign.id, newId()] })],
    ['relatesTo', 'a decision twice', () => ({ relatesTo: Array(2).fill(newId()) })],
    ['relatesTo', 'more than 50', () => ({ relatesTo: Array.from({ length: 51 }, () => newId()) })],
    ['relatesTo.0', 'what is no id', () => ({ relatesTo: ['A'] })],
    ['relatesTo', 'no list', () => ({ relates_to: null })],
  ])('refuses, naming %s: %s', async (path, _, body) => {
    const key = keyPrincipal();
    const own = await suite.create(key);
    const other = await suite.create(key, { title: 'Other' });
    const answer = await suite.patch(key, own.id, body(own, other));
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.issues[0].path).toBe(path);
    expect((await suite.get(key, `/decisions/${own.id}`)).body).toEqual(own);
  });
});
