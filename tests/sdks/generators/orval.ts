/** Sixteen typical calls with the client of orval. */
import * as api from './client';

const options = { headers: { authorization: `Bearer ${process.env.WAYMARK_API_KEY}` } };
const say = (name: string, value: unknown) => console.log(`${name} ${value}`);

/** Returns the content of an answer of a status, whose type it has. */
function ok<T extends { status: number }, S extends T['status']>(answer: T, ...statuses: S[]) {
  if (!statuses.includes(answer.status as S)) throw new Error(JSON.stringify(answer));
  return answer as Extract<T, { status: S }>;
}

const caller = ok(await api.whoami({}, options), 200);
say('whoami', caller.data.authType);
const body = { title: 'Generate the client', tags: ['clients'] };
const created = ok(await api.createDecision(body, {}, options), 201);
say('createDecision', created.data.status);
const { id } = created.data;
const read = ok(await api.getDecision(id, {}, options), 200);
say('getDecision', read.data.title);
const query = {
  status: ['proposed', 'accepted'],
  overdue: false,
  limit: 10,
} satisfies api.ListDecisionsParams;
const list = ok(await api.listDecisions(query, options), 200);
say('listDecisions', list.data.decisions.length);
const changed = ok(await api.updateDecision(id, { outcome: 'success' }, {}, options), 200);
say('updateDecision', changed.data.outcome);
const quality = ok(await api.getDecisionQuality(id, {}, options), 200);
say('getDecisionQuality', quality.data.model);
const content: api.DecisionPut = { question: 'Which generator?', decisionType: 'architecture' };
const put = ok(await api.putDecisionByExternalId('ADR-1', content, {}, options), 200, 201);
say('putDecisionByExternalId', put.data.external_id);
const history = ok(await api.listDecisionHistory(id, {}, options), 200);
say('listDecisionHistory', history.data.data.length);
const facets = ok(await api.getDecisionFacets({ decisionType: 'architecture' }, options), 200);
say('getDecisionFacets', facets.data.total);
const workflow = ok(await api.createWorkflow({ title: 'Choose a generator' }, {}, options), 201);
say('createWorkflow', workflow.data.acyclic);
const workflowId = workflow.data.id;
const task: api.NodeCreate = { workflowId, type: 'task', title: 'Try it', positionX: 0, positionY: 0 };
const node = ok(await api.createNode(task, {}, options), 201);
say('createNode', node.data.status);
const nodes = ok(await api.listNodes({ workflowId }, options), 200);
say('listNodes', nodes.data.data.length);
const posted = ok(await api.postMessage(node.data.id, { content: 'It compiles.' }, {}, options), 201);
say('postMessage', posted.data.message.content);
const found = ok(await api.search({ q: 'nowhere' }, options), 200);
say('search', found.data.decisions.length);
const metrics = ok(await api.getMetrics({}, options), 200);
say('getMetrics', metrics.data.decisions_total);
const deleted = ok(await api.deleteDecision(id, {}, options), 204);
say('deleteDecision', deleted.status);

/** Only compiled. */
export const wrong = () => [
  // @ts-expect-error: an unknown field
  api.createDecision({ titel: 'x' }),
  // @ts-expect-error: an unknown field beside a known one
  api.createDecision({ title: 'x', outcom: 'success' }),
  // @ts-expect-error: a number
  api.createDecision({ title: 3 }),
  // @ts-expect-error: an unknown value in a list
  api.listDecisions({ status: ['acepted'] }),
  // @ts-expect-error: no body
  api.createDecision(),
  // @ts-expect-error: an unknown field
  api.updateDecision(id, { outcom: 'success' }),
  // @ts-expect-error: an unknown value
  api.updateDecision(id, { outcome: 'sucess' }),
];
