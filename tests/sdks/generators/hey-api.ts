/** Sixteen typical calls with the client of @hey-api/openapi-ts. */
import * as api from './client';
import { client } from './client/client.gen';

client.setConfig({
  baseUrl: process.env.WAYMARK_URL,
  auth: process.env.WAYMARK_API_KEY,
});
const say = (name: string, value: unknown) => console.log(`${name} ${value}`);

const throwOnError = true;
const caller = await api.whoami({ throwOnError });
say('whoami', caller.data.authType);
const body = { title: 'Generate the client', tags: ['clients'] };
const created = await api.createDecision({ throwOnError, body });
say('createDecision', created.data.status);
const path = { id: created.data.id };
const read = await api.getDecision({ throwOnError, path });
say('getDecision', read.data.title);
const list = await api.listDecisions({
  throwOnError,
  query: { status: ['proposed', 'accepted'], overdue: false, limit: 10 },
});
say('listDecisions', list.data.decisions.length);
const changed = await api.updateDecision({ throwOnError, path, body: { outcome: 'success' } });
say('updateDecision', changed.data.outcome);
const quality = await api.getDecisionQuality({ throwOnError, path });
say('getDecisionQuality', quality.data.model);
const put = await api.putDecisionByExternalId({
  throwOnError,
  path: { externalId: 'ADR-1' },
  body: { question: 'Which generator?', decisionType: 'architecture' },
});
say('putDecisionByExternalId', put.data.external_id);
const history = await api.listDecisionHistory({ throwOnError, path });
say('listDecisionHistory', history.data.data.length);
const facets = await api.getDecisionFacets({ throwOnError, query: { decisionType: 'architecture' } });
say('getDecisionFacets', facets.data.total);
const workflow = await api.createWorkflow({ throwOnError, body: { title: 'Choose a generator' } });
say('createWorkflow', workflow.data.acyclic);
const workflowId = workflow.data.id;
const node = await api.createNode({
  throwOnError,
  body: { workflowId, type: 'task', title: 'Try it', positionX: 0, positionY: 0 },
});
say('createNode', node.data.status);
const nodes = await api.listNodes({ throwOnError, query: { workflowId } });
say('listNodes', nodes.data.data.length);
const posted = await api.postMessage({
  throwOnError,
  path: { nodeId: node.data.id },
  body: { content: 'It compiles.' },
});
say('postMessage', posted.data.message.content);
const found = await api.search({ throwOnError, query: { q: 'nowhere' } });
say('search', found.data.decisions.length);
const metrics = await api.getMetrics({ throwOnError });
say('getMetrics', metrics.data.decisions_total);
const { response } = await api.deleteDecision({ throwOnError, path });
say('deleteDecision', response.status);

/** Only compiled. */
export const wrong = () => [
  // @ts-expect-error: an unknown field
  api.createDecision({ body: { titel: 'x' } }),
  // @ts-expect-error: an unknown field
  api.createDecision({ body: { outcom: 'success' } }),
  // @ts-expect-error: an unknown field beside a known one
  api.createDecision({ body: { title: 'x', outcom: 'success' } }),
  // @ts-expect-error: a number
  api.createDecision({ body: { title: 3 } }),
  // @ts-expect-error: an unknown value in a list
  api.listDecisions({ query: { status: ['acepted'] } }),
  // @ts-expect-error: no body
  api.createDecision({}),
  // @ts-expect-error: an unknown field
  api.updateDecision({ path, body: { outcom: 'success' } }),
  // @ts-expect-error: an unknown value
  api.updateDecision({ path, body: { outcome: 'sucess' } }),
];
