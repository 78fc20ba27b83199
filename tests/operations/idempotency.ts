import { afterAll, expect, it } from '@jest/globals';
import { acceptsIdempotencyKey, type Operation, operationList, type ServiceName } from '@waymark/contracts';
import { type Answer, eventually } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { withDeviceCode } from '../support/programs.ts';
import { byId, credentialsFor, pathTo, type Records, validInput } from '../support/records.ts';
import type { FilledWorkspace, Fixture } from './fixture.ts';

const CONCURRENT_CALLS = 4;

const posts = operationList.filter((operation) => acceptsIdempotencyKey(operation) && operation.audit);

/**
 * Publishing removes an event from the outbox, a write draws a random guard, and the trash has what earlier
 * suites have deleted, so their counts vary.
 */
const PASSING = new Set(['outbox', 'guards', 'node_guards', 'trash']);

/** The users of the fixture stay in one workspace. */
const BY_OTHERS = ['acceptInvitation', 'createWorkspace'];

/** What is deleted before it is restored. */
const pathOfDeleted: Record<string, (records: Records) => string> = {
  restoreDecision: ({ decision }) => `/decisions/${decision}`,
  restoreWorkflow: ({ workflow }) => `/workflows/${workflow}`,
  restoreNode: ({ node }) => `/nodes/${node}`,
  restoreMessage: ({ decision, decisionMessage }) =>
    `/decisions/${decision}/thread/messages/${decisionMessage}`,
};

const requestIdsOf = (calls: Answer[]) => new Set(calls.map(({ headers }) => headers['x-request-id']));

/**
 * Sends each POST concurrently and repeatedly to one workspace, and once to the other one, and compares what
 * that adds.
 */
export function idempotency({ product, receiver, mine, theirs }: Fixture): void {
  const mongo = new MongoClient(product.env['MONGODB_URL']!);
  afterAll(() => mongo.close());

  /** A valid call, the user who makes it, and the session that may read its audit entry. */
  async function exampleOf(operation: Operation, { records, key, cookie, ...owner }: FilledWorkspace) {
    const path = pathTo(operation, records);
    const deleted = pathOfDeleted[operation.id]?.(records);
    if (deleted)
      await eventually(async () => {
        const query = { workspaceId: records.workspace };
        expect((await product.call('DELETE', deleted, { cookie, query })).status).toBeLessThan(300);
      });
    const valid = validInput(operation, records, receiver.url);
    const input = await withDeviceCode(product.url, operation, valid);
    if (!BY_OTHERS.includes(operation.id)) {
      // The message is that of another key.
      const by = deleted ? { cookie } : credentialsFor(operation, { key, cookie });
      return { path, input: { ...by, ...input }, userId: owner.userId, auditor: cookie };
    }
    const person = await product.signUp('Somebody');
    const by = { cookie: person.cookie };
    if (operation.id === 'createWorkspace')
      return { path, input: { ...by, ...input }, userId: person.userId, auditor: person.cookie };
    const invitation = { cookie, body: { workspaceId: owner.workspaceId } };
    const { url } = (await product.call('POST', '/invitations', invitation)).body;
    const body = { token: new URL(url).hash.slice(1) };
    return { path, input: { ...by, body }, userId: person.userId, auditor: cookie };
  }

  /** Counts the records of each kind that a service holds for a workspace and a user. */
  async function recordsOf(service: ServiceName, workspaceId: string, userId: string) {
    const db = mongo.db(`${product.env['NATS_PREFIX']}_${service}`);
    const ours = { $or: [{ workspace_id: workspaceId }, { user_id: userId }] };
    // Counters have paths as ids. They are not records.
    const filter = { ...ours, _id: { $not: /\// } };
    const names = (await db.listCollections().toArray()).map(({ name }) => name);
    const counts = names
      .filter((name) => !PASSING.has(name))
      .map(
        async (name) => [name, await db.collection<{ _id: string }>(name).countDocuments(filter)] as const,
      );
    return Object.fromEntries(await Promise.all(counts));
  }

  it.each(byId(posts))(
    `%s writes, emits and audits once under ${CONCURRENT_CALLS} concurrent requests with the same Idempotency-Key`,
    async (id, operation) => {
      const repeated = await exampleOf(operation, mine);
      const alone = await exampleOf(operation, theirs);
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      const call = () => product.call('POST', repeated.path, { ...repeated.input, headers });
      const known = product.events.length;

      const answers = await Promise.all(Array.from({ length: CONCURRENT_CALLS }, call));
      const [later, later2] = [await call(), await call()];
      // A single call in another workspace: its event comes after all events of the calls above.
      const single = await product.call('POST', alone.path, alone.input);

      const { status } = operation.response;
      const firsts = answers.filter(
        (a) => a.status === status && a.headers['idempotency-replayed'] === undefined,
      );
      const replays = answers.filter((a) => a.headers['idempotency-replayed'] === 'true');
      const others = answers.filter((a) => ![...firsts, ...replays].includes(a));
      expect(firsts).toHaveLength(1);
      expect(others.map(({ body }) => body.error).filter((code) => code !== 'CONFLICT')).toEqual([]);
      const first = firsts[0]!;
      for (const replay of replays) expect([replay.status, replay.body.id]).toEqual([status, first.body.id]);

      expect([later.status, later.body.id]).toEqual([status, first.body.id]);
      for (const secret of ['addMember', 'createInvitation'].includes(id) ? ['url'] : ['key', 'secret']) {
        if (secret in first.body) expect(later.body[secret]).toBeUndefined();
      }
      expect([later2.status, single.status]).toEqual([status, status]);

      const emittedBy = (calls: Answer[]) => {
        const requestIds = requestIdsOf(calls);
        return product.events
          .slice(known)
          .filter((e) => e.action === operation.audit && requestIds.has(e.request_id ?? ''));
      };
      const all = [...answers, later, later2];
      await eventually(() => expect([emittedBy([single]), emittedBy(all)]).toMatchObject([[{}], [{}]]));

      const entriesOf = async (calls: Answer[], auditor: string, workspaceId: string) => {
        const auditedIn = id === 'createWorkspace' ? calls.at(-1)!.body.id : workspaceId;
        const query = { workspaceId: auditedIn, action: operation.audit };
        const log = await product.call('GET', '/audit-log', { cookie: auditor, query });
        const requestIds = requestIdsOf(calls);
        return log.body.data.filter((entry: { request_id: string }) => requestIds.has(entry.request_id));
      };
      await eventually(async () => {
        expect(await entriesOf([single], alone.auditor, theirs.workspaceId)).toHaveLength(1);
        expect(await entriesOf(all, repeated.auditor, mine.workspaceId)).toHaveLength(1);
      });

      const { service } = operation;
      await eventually(async () =>
        expect(await recordsOf(service, mine.workspaceId, repeated.userId)).toEqual(
          await recordsOf(service, theirs.workspaceId, alone.userId),
        ),
      );
    },
  );
}
