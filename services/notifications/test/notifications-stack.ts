import { once } from 'node:events';
import http from 'node:http';
import { afterAll } from '@jest/globals';
import {
  type Actor,
  type EventEnvelope,
  type EventType,
  eventStream,
  type Membership,
  newId,
  type Role,
} from '@waymark/contracts';
import {
  type CallInput,
  openEventPublisher,
  sampleEvent,
  servicePrincipal,
  sessionPrincipal,
  startOne,
} from '@waymark/testing';
import { startNotifications } from '../src/service.ts';

export interface Person {
  id: string;
  actor: Actor;
}

interface Mailed {
  user_id: string;
  is_daily: boolean;
  notification_ids: string[];
  more?: number;
}
type MailedAnswer = { over_limit: string[] } | null;

/** Starts the service for the tests of a file, with doubles of accounts, decisions and workflows. */
export async function notificationsStack(
  seams: NonNullable<Parameters<typeof startNotifications>[1]> = {},
  /** What a service has had before this one began, by the path of its snapshot. */
  snapshots = new Map<string, unknown[]>(
    ['workflows', 'nodes', 'decisions', 'messages'].map((kind) => [kind, []]),
  ),
) {
  const memberships = new Map<string, Membership[]>();
  /** By id: the workspace of a record that exists. */
  const records = new Map<string, string>();
  const mailed: Mailed[] = [];

  const inWorkspace = (id: string) =>
    [...memberships].flatMap(([userId, list]) =>
      list.filter(({ workspace_id }) => workspace_id === id).map(({ role }) => ({ userId, role })),
    );
  function answerTo(
    path: string,
    body: { user_ids?: string[]; role?: string; workspace_id: string; ids: string[]; principal?: unknown },
    after: string | null,
  ) {
    const [, , kind, id, part] = path.split('/');
    // A body that took long.
    if (kind === 'callers') return { principal: body.principal };
    if (kind === 'mails') {
      mailed.push(body as unknown as Mailed);
      return stack.onMailed(body as unknown as Mailed);
    }
    if (kind === 'memberships') return { memberships: memberships.get(id!) ?? [] };
    if (part === 'members') {
      const of = inWorkspace(id!).filter(({ role }) => !body.role || role === 'admin' || role === 'owner');
      const members = of.map(({ userId, role }) => ({ user_id: userId, name: 'A member', role }));
      return { members: members.filter(({ user_id }) => body.user_ids?.includes(user_id) ?? true) };
    }
    // What existed before the service.
    if (kind && !id && snapshots.has(kind)) return { data: after ? [] : snapshots.get(kind) };
    const workspace_id = records.get(id!) ?? null;
    if (kind === 'workflows') return { workspace_id };
    if (kind === 'decisions')
      return { decision: workspace_id && { id, workspace_id, version: 1, generation: 0 } };
    if (kind === 'nodes')
      return { node: workspace_id && { id, workspace_id, workflow_id: newId(), version: 1, generation: 0 } };
    return { here: body.ids.filter((one) => records.get(one) === body.workspace_id), elsewhere: [] };
  }
  const doubles = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    response.setHeader('content-type', 'application/json');
    const { pathname, searchParams } = new URL(request.url!, 'http://doubles');
    const answer = await answerTo(pathname, text ? JSON.parse(text) : {}, searchParams.get('after'));
    if (answer === null) request.socket.destroy();
    else response.end(JSON.stringify(answer));
  });

  await once(doubles.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(doubles.address() as { port: number }).port}`;
  const env = { ACCOUNTS_URL: url, DECISIONS_URL: url, WORKFLOWS_URL: url, THREADS_URL: url };
  const one = await startOne(startNotifications, { env, seams });
  const publisher = await openEventPublisher(one, 'notifications');
  afterAll(async () => {
    await publisher.close();
    await one.stop();
    doubles.close();
    doubles.closeAllConnections();
  });

  const stack = {
    records,
    /** The answer of accounts to a hand-over; null breaks off the connection. */
    onMailed: (_: Mailed): MailedAnswer | Promise<MailedAnswer> => ({ over_limit: [] }),
    /** What was handed over to be mailed to a person. */
    mailed: ({ id }: Person) => mailed.filter(({ user_id }) => user_id === id),
    /** The value of a metric without labels. */
    async metric(name: string): Promise<number> {
      const text = await (await fetch(`http://127.0.0.1:${one.adminPort}/metrics`)).text();
      return Number(new RegExp(`^${name}{[^}]*} (.*)$`, 'm').exec(text)?.[1]);
    },
    internal: (path: string, body: object) => one.call(servicePrincipal('accounts'), 'POST', path, { body }),
    collection: (name: string) => one.database.collection<{ _id: string }>(name),
    /** A new member of a workspace, or of several. */
    person(workspaceIds: string | string[], role: Role = 'member', more: Partial<Membership> = {}): Person {
      const id = newId();
      const all = [workspaceIds].flat();
      memberships.set(
        id,
        all.map((workspace_id) => ({ workspace_id, role, plan: 'business', ...more })),
      );
      return { id, actor: { type: 'session', id, name: 'Ada', key_prefix: null } };
    },
    /** Takes a person out of the workspace, before any event says so. */
    remove(person: Person, workspaceId: string): void {
      const left = memberships.get(person.id)!.filter(({ workspace_id }) => workspace_id !== workspaceId);
      memberships.set(person.id, left);
    },
    call: (person: Person, method: string, path: string, input?: CallInput) =>
      one.call({ ...sessionPrincipal({ userId: person.id }), membership: null }, method, path, input),
    async inbox(person: Person, query: Record<string, string> = {}) {
      const { status, body } = await stack.call(person, 'GET', '/notifications', { query });
      if (status !== 200) throw new Error(`the inbox answered ${status}`);
      return body;
    },
    /** Kinds and records of what a person was told, newest first. */
    told: async (person: Person): Promise<[string, string][]> =>
      (await stack.inbox(person)).data.map((one: { kind: string; record_id: string }) => [
        one.kind,
        one.record_id,
      ]),
    async publish(...events: EventEnvelope[]): Promise<void> {
      for (const event of events) await publisher.publish([event]);
      await publisher.settled();
    },
    /** Collects the users whose inboxes are announced as changed. */
    announced(): string[] {
      const users: string[] = [];
      const subscription = publisher.nats.subscribe(eventStream(String(one.env['NATS_PREFIX'])).inboxes);
      void (async () => {
        for await (const message of subscription) users.push(...message.string().split(' '));
      })();
      return users;
    },
  };
  return stack;
}

export const eventOf = (
  type: EventType,
  workspace_id: string,
  { actor }: Person,
  given: Pick<EventEnvelope, 'subject' | 'data'> & Partial<Pick<EventEnvelope, 'changes' | 'time'>>,
): EventEnvelope => sampleEvent({ type, workspace_id, actor, ...given });

const AUTHOR = ({ actor: { type, id, name } }: Person) => ({ type, id, name });

/** The event of a message on a node; `version` 2 and more are edits. */
export function messageEvent(
  by: Person,
  on: { workspaceId: string; nodeId: string; generation?: number },
  {
    id = newId(),
    version = 1,
    mentions = [] as string[],
    content = 'What about Redis?',
    content_type = 'text',
    at = Date.now(),
  } = {},
): EventEnvelope {
  const created_at = new Date(at).toISOString();
  const type = version === 1 ? 'thread.message_created' : 'thread.message_updated';
  return eventOf(type, on.workspaceId, by, {
    subject: { type: 'message', id, version, generation: on.generation ?? 0 },
    data: {
      ...{ id, thread_id: newId(), node_id: on.nodeId, content, content_type, mentions },
      ...{ author: AUTHOR(by), created_at, edited_at: version === 1 ? null : created_at, imported_by: null },
    },
  });
}

export function messageDeleted(by: Person, { subject, data, workspace_id }: EventEnvelope): EventEnvelope {
  const { id, thread_id, node_id } = data as Record<string, string>;
  return eventOf('thread.message_deleted', workspace_id!, by, {
    subject: { ...subject, version: subject.version + 1 },
    data: { id, thread_id, node_id },
  });
}

/** The event of a node; version 1 is its creation. */
export function nodeEvent(
  by: Person,
  { workspaceId, nodeId }: { workspaceId: string; nodeId: string },
  {
    version = 1,
    title = 'Measure both',
    assignedTo = null as string | null,
    changes = null as EventEnvelope['changes'],
  } = {},
): EventEnvelope {
  const at = new Date().toISOString();
  return eventOf(version === 1 ? 'node.created' : 'node.updated', workspaceId, by, {
    subject: { type: 'node', id: nodeId, version },
    changes,
    data: {
      ...{ id: nodeId, workspace_id: workspaceId, workflow_id: newId(), type: 'task', title, data: {} },
      ...{ position_x: 0, position_y: 0, status: 'todo', assigned_to: assignedTo, external_id: null },
      ...{ created_at: at, updated_at: at, version },
    },
  });
}
