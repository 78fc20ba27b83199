import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type Operation, operationList, takesIfMatch } from '@waymark/contracts';
import type { Answer } from '@waymark/testing';
import { jsonSchema } from '../support/json-schema.ts';
import { byId, pathTo, type Records, validBody, validInput } from '../support/records.ts';
import { type Fixture, MARK } from './fixture.ts';

type Credentials = { key: string } | { cookie: string };

/** Text in a path names a record only in the workspace of the request. */
const withId = operationList.filter(({ path }) => path.includes('{') && !path.includes('{externalId}'));
const naming = operationList.filter(
  ({ workspace, role }) => ['query', 'query_or_body'].includes(workspace) && role,
);
const ofRecord = operationList.filter(({ workspace }) => workspace === 'record');
const conditional = operationList.filter(takesIfMatch);
/** These belong to a person: for the caller, another person's do not exist. */
const OF_A_PERSON = [
  ...['endSession', 'revokeGrant', 'updatePasskey', 'removePasskey'],
  ...['updateNotification', 'putSubscription', 'deleteSubscription'],
];

const refusalOf = (credentials: Credentials) =>
  'key' in credentials ? '403 WORKSPACE_MISMATCH' : '403 FORBIDDEN';
const statusOf = ({ status, body }: Answer) => `${status} ${body?.error}`;

interface Property {
  format?: string;
  items?: Property;
  anyOf?: Property[];
}
type Properties = { properties?: Record<string, Property> };

/** The fields of a body that name another record. */
const references = operationList.flatMap((operation) => {
  // A draft is scored as it is, and stored nowhere.
  if (operation.id === 'scoreDecisionDraft') return [];
  const { properties = {} } = operation.body ? (jsonSchema(operation.body) as Properties) : {};
  const fields = Object.entries(properties).filter(
    ([name, { format, items, anyOf = [] }]) =>
      !['workspaceId', 'id'].includes(name) &&
      [format, items?.format, ...anyOf.map((one) => one.format)].includes('uuid'),
  );
  return fields.map(([name, { items }]) => [operation.id, name, operation, items !== undefined] as const);
});

/**
 * Every operation that takes an id refuses the id of another workspace's record and changes nothing. Both
 * workspaces have as many records afterwards as before.
 */
export function foreignIds({ product, receiver, mine, theirs }: Fixture): void {
  const { records: own } = mine;
  const { records } = theirs;
  const everyone: Credentials[] = [
    { key: mine.key },
    { key: mine.serviceKeys.admin },
    { cookie: mine.cookie },
  ];
  const callers = ({ caller, scope }: Operation): Credentials[] => [
    ...(caller === 'key_or_session' ? [{ key: mine.key }] : []),
    ...(scope ? [{ key: mine.serviceKeys.admin }] : []),
    { cookie: mine.cookie },
  ];

  /** Expects no data that only the other workspace's members know, except the ids that the caller sent. */
  function expectNoData({ text }: Answer, sent: string[] = []): void {
    const ids = Object.values(records).filter((id) => !sent.includes(id));
    for (const known of [...ids, MARK, theirs.email, theirs.userId, theirs.key.slice(0, 12)])
      expect(text).not.toContain(known);
  }

  /** Returns everything of the other workspace that the callers could have changed or ended. */
  async function state(): Promise<unknown> {
    const { cookie, workspaceId } = theirs;
    const read = async (path: string, query: Record<string, string> = { workspaceId }) => {
      const answer = await product.call('GET', path, { cookie, query });
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.body;
    };
    const { exported_at: _, ...exported } = await read('/export');
    // The owner's own calls update the time of the last use of a key.
    const { data: keys } = await read('/api-keys');
    return {
      exported,
      keys: keys.map(({ last_used_at: _, ...key }: Record<string, unknown>) => key),
      members: await read('/members'),
      webhooks: await read('/webhooks'),
      invitations: await read('/invitations'),
      serviceAccounts: await read('/service-accounts'),
      deliveries: (await read(`/webhooks/${records.webhook}/deliveries`, {})).data.length,
      workspace: await read(`/workspaces/${workspaceId}`, {}),
      sessions: (await read('/auth/sessions', {})).data.length,
      programs: (await read('/auth/grants', {})).data.length,
    };
  }

  let before: unknown;
  beforeAll(async () => {
    before = await state();
  });

  it.each(byId(withId))(
    '%s does not reach a record of another workspace, whichever workspace the request names',
    async (id, operation) => {
      const workspaces = operation.workspace.startsWith('query')
        ? [mine.workspaceId, theirs.workspaceId]
        : [undefined];
      for (const credentials of callers(operation)) {
        for (const workspaceId of workspaces) {
          // An invalid body would be refused before the service reads the record.
          const body = validBody(operation, own, receiver.url);
          const answer = await product.call(operation.method, pathTo(operation, records), {
            ...credentials,
            ...(workspaceId && { query: { workspaceId } }),
            ...(body && { body }),
          });
          const expected = OF_A_PERSON.includes(id) ? '404 NOT_FOUND' : refusalOf(credentials);
          expect([credentials, workspaceId, statusOf(answer)]).toEqual([credentials, workspaceId, expected]);
          expectNoData(answer);
        }
      }
    },
  );

  it.each(byId(withId))('%s refuses an id that nobody has', async (_, operation) => {
    const nobodys = Object.entries(own).map(([kind, id]) => [kind, kind === 'emoji' ? id : newId()]);
    const { query, ...input } = validInput(operation, own, receiver.url);
    const path = pathTo(operation, Object.fromEntries(nobodys) as Records);
    const answer = await product.call(operation.method, path, { cookie: mine.cookie, query, ...input });
    const expected = operation.workspace === 'path' ? '403 FORBIDDEN' : '404 NOT_FOUND';
    expect(statusOf(answer)).toBe(expected);
  });

  it.each(byId(conditional))('%s refuses the If-Match of another version', async (_, operation) => {
    const { headers, ...input } = validInput(operation, own, receiver.url);
    const answer = await product.call(operation.method, pathTo(operation, own), {
      cookie: mine.cookie,
      ...input,
      headers: { ...headers, 'if-match': '"v99"' },
    });
    expect(statusOf(answer)).toBe('412 PRECONDITION_FAILED');
  });

  it.each(byId(naming))(
    '%s does not act on another workspace when it gets the id of that workspace',
    async (_, operation) => {
      const { workspaceId } = theirs;
      const { query, body, headers } = validInput(operation, own, receiver.url);
      for (const credentials of callers(operation)) {
        for (const inBody of operation.workspace === 'query_or_body' && body ? [true, false] : [false]) {
          const { workspaceId: _, ...others } = body ?? {};
          const answer = await product.call(operation.method, pathTo(operation, own), {
            ...credentials,
            query: { ...query, workspaceId: inBody ? undefined : workspaceId },
            ...(body && { body: inBody ? { ...others, workspaceId } : others }),
            headers,
          });
          expect([credentials, inBody, statusOf(answer)]).toEqual([
            credentials,
            inBody,
            refusalOf(credentials),
          ]);
          expectNoData(answer);
        }
      }
    },
  );

  it.each(byId(ofRecord))(
    '%s refuses its own record in the name of another workspace',
    async (_, operation) => {
      const { query, ...input } = validInput(operation, own, receiver.url);
      const answer = await product.call(operation.method, pathTo(operation, own), {
        cookie: mine.cookie,
        ...input,
        query: { ...query, workspaceId: theirs.workspaceId },
      });
      expect(statusOf(answer)).toBe(refusalOf({ cookie: mine.cookie }));
    },
  );

  it.each(references)('%s names the field %s when its id is unknown', async (_, name, operation, isList) => {
    const { body, ...input } = validInput(operation, own, receiver.url);
    const unknown = isList ? [newId()] : newId();
    const answer = await product.call(operation.method, pathTo(operation, own), {
      cookie: mine.cookie,
      ...input,
      body: { ...body, [name]: unknown },
    });
    expect(statusOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(answer.body.issues[0].path).toMatch(new RegExp(`^${name}(?:\\.|$)`));
  });

  describe('an id in the query or the body', () => {
    const node = (workspaceId: string) => ({
      body: {
        ...{ workspaceId, workflowId: records.workflow, type: 'task', title: 'Mine now' },
        ...{ positionX: 0, positionY: 0 },
      },
    });
    const edge = (workflowId: string, sourceId: string, targetId: string) => ({
      body: { workflowId, sourceId, targetId },
    });
    const theirWorkflow = { query: { workflowId: records.workflow } };
    const requests: [string, string, string, { query?: Record<string, string>; body?: object }][] = [
      ['listNodes', 'GET', '/nodes', theirWorkflow],
      ['listEdges', 'GET', '/edges', theirWorkflow],
      ['deleteEdge', 'DELETE', '/edges', { query: { id: records.edge } }],
      ['createNode', 'POST', '/nodes', node(mine.workspaceId)],
      ['createNode in their workspace', 'POST', '/nodes', node(theirs.workspaceId)],
      ['createEdge', 'POST', '/edges', edge(records.workflow, records.node, records.otherNode)],
      ['createEdge to their node', 'POST', '/edges', edge(own.workflow, own.node, records.node)],
    ];

    it('covers every operation of a workspace', () => {
      const tried = new Set([...withId, ...naming].map(({ id }) => id).concat(requests.map(([id]) => id)));
      const ofWorkspace = operationList.filter(({ role }) => role).map(({ id }) => id);
      expect(ofWorkspace.filter((id) => !tried.has(id))).toEqual([]);
    });

    it.each(requests)('%s is refused', async (_name, method, path, input) => {
      for (const credentials of everyone) {
        const answer = await product.call(method, path, { ...credentials, ...input });
        expect([credentials, statusOf(answer)]).toEqual([credentials, refusalOf(credentials)]);
        expectNoData(answer);
      }
    });

    const decision = (more: object) => ({ body: { workspaceId: mine.workspaceId, title: 'Mine', ...more } });
    const lookUps: [string, string, keyof Records, (id: string) => [string, string, { body?: object }]][] = [
      ['a message', '404 NOT_FOUND', 'message', (id) => ['GET', `/threads/${own.node}/messages/${id}`, {}]],
      [
        'a superseded decision',
        '400 VALIDATION_ERROR',
        'decision',
        (id) => ['POST', '/decisions', decision({ supersedes: id })],
      ],
      [
        'a related decision',
        '400 VALIDATION_ERROR',
        'decision',
        (id) => ['POST', '/decisions', decision({ relatesTo: [id] })],
      ],
    ];

    it.each(lookUps)(
      '%s returns the same response as an unknown id',
      async (_name, expected, kind, callOf) => {
        for (const credentials of everyone) {
          const [foreign, absent] = await Promise.all(
            [records[kind], newId()].map(async (id) => {
              const [method, path, input] = callOf(id);
              const answer = await product.call(method, path, { ...credentials, ...input });
              expectNoData(answer, [id]);
              const { requestId: _, ...body } = answer.body;
              return { status: statusOf(answer), text: JSON.stringify(body).replaceAll(id, '') };
            }),
          );
          expect(foreign!.status).toBe(expected);
          expect(foreign).toEqual(absent);
        }
      },
    );

    it('another workspace’s node id for a new node is refused in the same way as an id from another workflow', async () => {
      const { key, workspaceId } = mine;
      const body = { workspaceId, title: 'Another' };
      const { id: workflow } = (await product.call('POST', '/workflows', { key, body })).body;
      for (const credentials of everyone) {
        for (const id of [records.node, own.node]) {
          const nodes = [{ id, type: 'task', title: 'Mine now', positionX: 0, positionY: 0 }];
          const answer = await product.call('PUT', `/workflows/${workflow}/graph`, {
            ...credentials,
            body: { nodes, edges: [] },
          });
          expect([credentials, statusOf(answer)]).toEqual([credentials, '409 CONFLICT']);
          expect(answer.body.message).toContain(`${id} is taken by another node`);
          expectNoData(answer, [id]);
        }
      }
      expect((await product.call('DELETE', `/workflows/${workflow}`, { key })).status).toBeLessThan(300);
    });
  });

  it('leave the other workspace unchanged', async () => {
    expect(await state()).toEqual(before);
  });

  it('do not reach a record for a member of both workspaces who names the wrong one', async () => {
    const person = await product.signUp('A member of both');
    const { cookie } = person;
    for (const owner of [mine, theirs]) await product.addMember(owner, person, 'viewer');
    const read = (workspaceId: string) =>
      product.call('GET', `/decisions/${records.decision}`, { cookie, query: { workspaceId } });
    expect((await read(theirs.workspaceId)).status).toBe(200);
    const answer = await read(mine.workspaceId);
    expect(statusOf(answer)).toBe('404 NOT_FOUND');
    expectNoData(answer);
  });
}
