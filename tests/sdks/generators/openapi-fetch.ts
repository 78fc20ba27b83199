/** Sixteen typical calls with the types of openapi-typescript. */
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

const client = createClient<paths>({
  baseUrl: process.env.WAYMARK_URL,
  querySerializer: { array: { style: 'form', explode: false } },
  headers: { authorization: `Bearer ${process.env.WAYMARK_API_KEY}` },
});

async function dataOf<T>(call: Promise<{ data?: T; error?: { error: string } }>): Promise<T> {
  const { data, error } = await call;
  if (error) throw new Error(error.error);
  return data as T;
}
const say = (name: string, value: unknown) => console.log(`${name} ${value}`);

const caller = await dataOf(client.GET('/whoami'));
say('whoami', caller.authType);
const body = { title: 'Generate the client', tags: ['clients'] };
const created = await dataOf(client.POST('/decisions', { body }));
say('createDecision', created.status);
const params = { path: { id: created.id } };
const read = await dataOf(client.GET('/decisions/{id}', { params }));
say('getDecision', read.title);
const status: ('proposed' | 'accepted')[] = ['proposed', 'accepted'];
const query = { status, overdue: false, limit: 10 };
const list = await dataOf(client.GET('/decisions', { params: { query } }));
say('listDecisions', list.decisions.length);
const changed = await dataOf(client.PATCH('/decisions/{id}', { params, body: { outcome: 'success' } }));
say('updateDecision', changed.outcome);
const quality = await dataOf(client.GET('/decisions/{id}/quality', { params }));
say('getDecisionQuality', quality.model);
const put = await dataOf(
  client.PUT('/decisions/by-external-id/{externalId}', {
    params: { path: { externalId: 'ADR-1' } },
    body: { question: 'Which generator?', decisionType: 'architecture' },
  }),
);
say('putDecisionByExternalId', put.external_id);
const history = await dataOf(client.GET('/decisions/{id}/history', { params }));
say('listDecisionHistory', history.data.length);
const facets = await dataOf(
  client.GET('/decisions/facets', { params: { query: { decisionType: 'architecture' } } }),
);
say('getDecisionFacets', facets.total);
const workflow = await dataOf(client.POST('/workflows', { body: { title: 'Choose a generator' } }));
say('createWorkflow', workflow.acyclic);
const node = await dataOf(
  client.POST('/nodes', {
    body: { workflowId: workflow.id, type: 'task', title: 'Try it', positionX: 0, positionY: 0 },
  }),
);
say('createNode', node.status);
const nodes = await dataOf(client.GET('/nodes', { params: { query: { workflowId: workflow.id } } }));
say('listNodes', nodes.data.length);
const thread = { params: { path: { nodeId: node.id } }, body: { content: 'It compiles.' } };
const { message } = await dataOf(client.POST('/threads/{nodeId}', thread));
say('postMessage', message.content);
const found = await dataOf(client.GET('/search', { params: { query: { q: 'nowhere' } } }));
say('search', found.decisions.length);
const metrics = await dataOf(client.GET('/metrics'));
say('getMetrics', metrics.decisions_total);
const { response } = await client.DELETE('/decisions/{id}', { params });
say('deleteDecision', response.status);

/** Only compiled. openapi-fetch infers the bodies of calls: only a declared type shows unknown fields. */
type Schemas = components['schemas'];
export const wrong = () => [
  // @ts-expect-error: an unknown field
  { titel: 'x' } satisfies Schemas['DecisionCreate'],
  // @ts-expect-error: an unknown field
  { outcom: 'success' } satisfies Schemas['DecisionCreate'],
  // @ts-expect-error: an unknown field
  { outcom: 'success' } satisfies Schemas['DecisionUpdate'],
  // @ts-expect-error: a number
  client.POST('/decisions', { body: { title: 3 } }),
  // @ts-expect-error: an unknown value in a list
  client.GET('/decisions', { params: { query: { status: ['acepted'] } } }),
  // @ts-expect-error: no body
  client.POST('/decisions', {}),
  // @ts-expect-error: an unknown value
  client.PATCH('/decisions/{id}', { params, body: { outcome: 'sucess' } }),
];
