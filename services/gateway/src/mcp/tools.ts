import {
  AuditEntry,
  ChainEntry,
  Decision,
  Edge,
  limits,
  Message,
  Node,
  type Operation,
  operations,
  type PublicOperationId,
  queryInteger,
  recordOf,
  text,
  uuid,
  Workflow,
} from '@waymark/contracts';
import { z } from 'zod';
import { findGoverningDecision } from './governing-decision.ts';
import { type CallOperation, parametersOf } from './operation-call.ts';
import { fetchRecord, SearchHit, searchRecords } from './search-records.ts';
import { page, pageSchema, shown, shownSchema, summary } from './shown.ts';

type Arguments = Record<string, unknown>;

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The tool's arguments. Arguments of an operation have the names and schemas of the operation. */
  input: z.ZodObject;
  /** The tool's result, beside the note. */
  output: z.ZodObject;
  /** Whether it changes something. */
  writes?: true;
  hints?: { destructiveHint?: boolean; idempotentHint?: boolean };
  /** Throws OperationRefused. */
  run(call: CallOperation, given: Arguments, context: ToolContext): Promise<Record<string, unknown>>;
}

export interface ToolContext {
  /** The workspace of a caller that names none. */
  workspaceId: string | null;
  publicUrl: string;
}

/** The arguments of an operation: its path, query and body together, without `left`, plus `own`. */
function argumentsOf(
  id: PublicOperationId,
  own: Record<string, z.ZodType> = {},
  left: readonly string[] = [],
) {
  const operation: Operation = operations[id];
  const parameters = parametersOf(operation).map((name) => [name, uuid()]);
  const { query, body } = operation;
  const all = { ...Object.fromEntries(parameters), ...recordOf(body)?.shape, ...recordOf(query)?.shape };
  const kept = Object.entries(all).filter(([name]) => !left.includes(name));
  return z.strictObject({ ...Object.fromEntries(kept), ...own } as Record<string, z.ZodType>);
}

const idOf = (what: string) => uuid().describe(`Id of the ${what}`);
const pageLimit = (byDefault: number = limits.mcpPageSize, max: number = limits.mcpPageSizeMax) =>
  queryInteger(1, max).optional().describe(`Records in the answer, ${byDefault} by default`);
/** The limit of a page, because the default of an operation is larger. */
const limited = (given: Arguments): Arguments => ({ limit: limits.mcpPageSize, ...given });

/** The fields that only get_decision shows: long texts, and fields for few questions. */
const NOT_IN_LISTS = [
  'description',
  'resolution',
  'rationale',
  'options_considered',
  'criteria',
  'outcome_notes',
  'outcome_confidence_kind',
  'relates_to',
  'imported_by',
  'created_by',
  'created_by_person',
  'updated_at',
];
const OF_ENTRIES = [
  'seq',
  'created_at',
  'actor',
  'via',
  'action',
  'resource_type',
  'resource_id',
  'changes',
  'request_id',
];
const NODE_ROW_HEIGHT = 160;

const shownDecision = shownSchema(Decision);
const decisionOutput = z.object({ decision: shownDecision });
const decisionPageOutput = pageSchema('decisions', shownDecision);
const Match = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  contains: z.array(z.string()),
  strength: z.number(),
});
const decisionPage = (found: z.output<typeof operations.listDecisions.response.schema>) =>
  page('decisions', found.decisions, found, (one) => shown(one, NOT_IN_LISTS));
const messagePage = (found: z.output<typeof operations.getThread.response.schema>) =>
  page('messages', found.messages, found);

/** The version that a change is based on, as If-Match. */
const versionOf = ({ version }: Arguments): Record<string, string> =>
  version === undefined ? {} : { 'if-match': `"v${version}"` };

export const tools: readonly Tool[] = [
  {
    name: 'find_governing_decision',
    title: 'Find the decision that governs a question',
    description:
      'Call this before you propose or change something that may have been decided. It ranks the decisions by the words of the question, rare words and titles first, and follows the chain of decisions that superseded the best match to the newest one. The answer has that decision in full, the chain, and other matches; last_accepted is there while the newest one is only proposed. If no match is strong, decision is null and near_misses has weak matches: say that no decision was found. Costs four to ten reads.',
    input: argumentsOf(
      'search',
      {
        question: text(500, 1).describe(
          'The question in words that the decision probably contains, such as "Where do session tokens live?"',
        ),
      },
      ['q', 'limit', 'cursor'],
    ),
    output: z.object({
      decision: shownDecision.nullable(),
      last_accepted: ChainEntry.optional(),
      found: Match.optional(),
      chain: z.array(ChainEntry).optional(),
      other_matches: z.array(Match).optional(),
      near_misses: z.array(Match).optional(),
      searched: z.array(z.string()),
      hint: z.string().optional(),
    }),
    run: (call, { question, ...where }) => findGoverningDecision(call, String(question), where),
  },
  {
    name: 'get_decision',
    title: 'Read a decision',
    description:
      'Returns a decision with all its fields: question, options, criteria, resolution, rationale, outcome, quality score and version.',
    input: argumentsOf('getDecision', { id: idOf('decision') }),
    output: decisionOutput,
    run: async (call, given) => ({ decision: shown(await call('getDecision', given)) }),
  },
  {
    name: 'list_decisions',
    title: 'List decisions',
    description:
      'Lists decisions, newest first, in short form; each given filter must match. get_decision returns one in full.',
    input: argumentsOf('listDecisions', { limit: pageLimit() }, ['overdue']),
    output: decisionPageOutput,
    run: async (call, given) => decisionPage(await call('listDecisions', limited(given))),
  },
  {
    name: 'list_overdue_decisions',
    title: 'List overdue decisions',
    description:
      'Lists decisions whose outcome was expected by now and is still pending, the longest overdue first. Log each outcome with log_outcome.',
    input: argumentsOf('listDecisions', { limit: pageLimit() }, ['overdue', 'outcome', 'status', 'sort']),
    output: decisionPageOutput,
    run: async (call, given) =>
      decisionPage(await call('listDecisions', { ...limited(given), overdue: 'true', sort: 'expected_by' })),
  },
  {
    name: 'explain_decision_score',
    title: 'Explain a quality score',
    description:
      'Returns the components of a decision’s quality score, from 0 to 100, and what would raise each, with points.',
    input: argumentsOf('getDecisionQuality', { id: idOf('decision') }),
    output: recordOf(operations.getDecisionQuality.response.schema)!,
    run: async (call, given) => ({ ...(await call('getDecisionQuality', given)) }),
  },
  {
    name: 'list_approvals',
    title: 'List approvals',
    description:
      'Returns who approved which text of a decision, objected or abstained, newest first, and whose approval is missing. Only people approve, in the console.',
    input: argumentsOf('listDecisionApprovals', { id: idOf('decision') }),
    output: recordOf(operations.listDecisionApprovals.response.schema)!,
    run: async (call, given) => ({ ...(await call('listDecisionApprovals', given)) }),
  },
  {
    name: 'list_forecasts',
    title: 'List forecasts',
    description:
      'Returns who holds the success of a decision how likely, with the median and an extremized mean. Where the workspace hides forecasts, give yours first.',
    input: argumentsOf('listDecisionForecasts', { id: idOf('decision'), limit: pageLimit() }),
    output: recordOf(operations.listDecisionForecasts.response.schema)!,
    run: async (call, given) => ({ ...(await call('listDecisionForecasts', limited(given))) }),
  },
  {
    name: 'give_forecast',
    title: 'Give a forecast',
    description:
      'Records how likely you hold the success of a decision, from 0 to 1, in place of your earlier forecast. Possible until its outcome is logged.',
    input: argumentsOf('putDecisionForecast', { id: idOf('decision') }),
    output: recordOf(operations.putDecisionForecast.response.schema)!,
    writes: true,
    hints: { idempotentHint: true },
    run: async (call, given) => ({ ...(await call('putDecisionForecast', given)) }),
  },
  {
    name: 'log_decision',
    title: 'Log a decision',
    description:
      'Records a new decision. Give the options with their pros and cons, the criteria, the resolution and the rationale, and in expectedBy when its outcome will be known: they make the quality score. supersedes names the decision that it replaces.',
    input: argumentsOf('createDecision'),
    output: decisionOutput,
    writes: true,
    run: async (call, given) => ({ decision: shown(await call('createDecision', given)) }),
  },
  {
    name: 'update_decision',
    title: 'Change a decision',
    description:
      'Changes the given fields of a decision; the others stay as they are. A list replaces the former list.',
    input: argumentsOf('updateDecision', {
      id: idOf('decision'),
      version: z
        .number()
        .int()
        .optional()
        .describe('The version that you have read: PRECONDITION_FAILED if the decision was changed since'),
    }),
    output: decisionOutput,
    writes: true,
    hints: { destructiveHint: true, idempotentHint: true },
    run: async (call, { version, ...given }) => ({
      decision: shown(await call('updateDecision', given, versionOf({ version }))),
    }),
  },
  {
    name: 'log_outcome',
    title: 'Log the outcome of a decision',
    description:
      'Records how a decision turned out. Former outcomes remain in its history. Say in outcomeNotes what happened.',
    input: outcomeArguments(),
    output: decisionOutput,
    writes: true,
    hints: { idempotentHint: true },
    run: async (call, given) => ({ decision: shown(await call('updateDecision', given)) }),
  },
  {
    name: 'search',
    title: 'Search',
    description:
      'Finds decisions, workflows and nodes, also by the messages on them, that contain a text. Every character is literal, in upper or lower case: search for one word or a short phrase. fetch returns a result in full.',
    input: argumentsOf(
      'search',
      {
        query: text(limits.searchQueryCharacters, 1).describe('A word or a short phrase'),
        limit: pageLimit().describe(`Results of each kind, ${limits.mcpPageSize} by default`),
      },
      ['q'],
    ),
    output: z.object({
      results: z.array(SearchHit),
      next_cursors: z.object({
        nodes: z.string().optional(),
        decisions: z.string().optional(),
        workflows: z.string().optional(),
      }),
    }),
    run: searchRecords,
  },
  {
    name: 'fetch',
    title: 'Fetch a search result',
    description:
      'Returns a decision, workflow or node in full, by the id of a search result. Costs one to three reads.',
    input: argumentsOf('getDecision', { id: idOf('result of search') }),
    output: z.object({
      id: z.string(),
      title: z.string(),
      text: z.string(),
      url: z.string().optional(),
      metadata: z.object({ kind: z.string() }),
    }),
    run: fetchRecord,
  },
  {
    name: 'list_workflows',
    title: 'List workflows',
    description: 'Lists the workflows of the workspace, newest first. get_workflow returns the nodes of one.',
    input: argumentsOf('listWorkflows', { limit: pageLimit() }),
    output: pageSchema('workflows', shownSchema(Workflow)),
    async run(call, given) {
      const found = await call('listWorkflows', limited(given));
      return page('workflows', found.data, found);
    },
  },
  {
    name: 'get_workflow',
    title: 'Read a workflow',
    description:
      'Returns a workflow with a page of its nodes and a page of its edges. Give nodesCursor or edgesCursor for the next page of one of them. Costs two or three reads.',
    input: argumentsOf(
      'getWorkflow',
      {
        id: idOf('workflow'),
        limit: pageLimit(limits.pageSize, limits.pageSize).describe(
          `Nodes, and edges, in the answer; ${limits.pageSize} by default`,
        ),
        nodesCursor: z.string().optional().describe('nodes_next_cursor of the previous answer'),
        edgesCursor: z.string().optional().describe('edges_next_cursor of the previous answer'),
      },
      ['workspaceId'],
    ),
    output: z.object({
      workflow: shownSchema(Workflow),
      nodes: z.array(shownSchema(Node)).optional(),
      nodes_next_cursor: z.string().nullable().optional(),
      edges: z.array(shownSchema(Edge)).optional(),
      edges_next_cursor: z.string().nullable().optional(),
    }),
    run: getWorkflow,
  },
  {
    name: 'add_node',
    title: 'Add a node to a workflow',
    description:
      'Adds a node to a workflow. A node without a position is placed below the others. On the canvas a node is about 240 wide and 120 high.',
    input: argumentsOf('createNode', {
      positionX: z.int().optional().describe('Where it is on the canvas; by default below the other nodes'),
      positionY: z.int().optional(),
    }),
    output: z.object({ node: shownSchema(Node) }),
    writes: true,
    run: async (call, given) => ({
      node: shown(await call('createNode', { ...(await placeFor(call, given)), ...given })),
    }),
  },
  {
    name: 'get_thread',
    title: 'Read a thread',
    description:
      'Returns the messages on a node, oldest first. resolved_at is set where a message is resolved with its replies.',
    input: argumentsOf('getThread', { nodeId: idOf('node'), limit: pageLimit() }),
    output: pageSchema('messages', shownSchema(Message)),
    run: async (call, given) => messagePage(await call('getThread', limited(given))),
  },
  {
    name: 'post_message',
    title: 'Post a message',
    description: 'Posts a message on a node, in the name of the key’s owner. Other members see it at once.',
    input: argumentsOf('postMessage', { nodeId: idOf('node') }),
    output: z.object({ posted: shownSchema(Message) }),
    writes: true,
    run: async (call, given) => ({ posted: shown((await call('postMessage', given)).message) }),
  },
  {
    name: 'get_discussion',
    title: 'Read the discussion of a decision',
    description:
      'Returns the messages on a decision, oldest first. @[id] mentions the member with that id. resolved_at is set where a message is resolved with its replies.',
    input: argumentsOf('getDecisionThread', { decisionId: idOf('decision'), limit: pageLimit() }),
    output: pageSchema('messages', shownSchema(Message)),
    run: async (call, given) => messagePage(await call('getDecisionThread', limited(given))),
  },
  {
    name: 'comment_on_decision',
    title: 'Comment on a decision',
    description:
      'Posts a message on a decision, in the name of the key’s owner. replyTo names the message that it answers.',
    input: argumentsOf('postDecisionMessage', { decisionId: idOf('decision') }),
    output: z.object({ posted: shownSchema(Message) }),
    writes: true,
    run: async (call, given) => ({ posted: shown((await call('postDecisionMessage', given)).message) }),
  },
  {
    name: 'list_audit_log',
    title: 'Read the audit log',
    description:
      'Lists who changed what, newest first. via is mcp where a tool of this server made the change. The chain itself is exported and verified with the API.',
    input: argumentsOf('listAuditLog', { limit: pageLimit() }),
    output: pageSchema('entries', shownSchema(AuditEntry, OF_ENTRIES)),
    async run(call, given) {
      const found = await call('listAuditLog', limited(given));
      return page('entries', found.data, found, (entry) => summary(entry, OF_ENTRIES));
    },
  },
  {
    name: 'whoami',
    title: 'Who am I',
    description: 'Returns the owner of the credentials, the workspace and the scopes.',
    input: argumentsOf('whoami'),
    output: recordOf(operations.whoami.response.schema)!,
    run: async (call, given) => ({ ...(await call('whoami', given)) }),
  },
];

function outcomeArguments() {
  const { id, workspaceId, outcome, outcomeNotes, outcomeConfidence } = argumentsOf('updateDecision').shape;
  return z.strictObject({
    id: id!,
    workspaceId: workspaceId!,
    outcome: (outcome as z.ZodOptional).unwrap() as z.ZodType,
    outcomeNotes: outcomeNotes!,
    outcomeConfidence: outcomeConfidence!,
  });
}

/** A place on the canvas below the nodes of the first page. */
async function placeFor(call: CallOperation, { workflowId, positionX, positionY }: Arguments) {
  if (positionX !== undefined && positionY !== undefined) return {};
  const { data } = await call('listNodes', { workflowId, limit: limits.pageSize });
  const left = data.map(({ position_x }) => position_x);
  const bottom = data.map(({ position_y }) => position_y + NODE_ROW_HEIGHT);
  return data.length === 0
    ? { positionX: 0, positionY: 0 }
    : { positionX: Math.min(...left), positionY: Math.max(...bottom) };
}

async function getWorkflow(
  call: CallOperation,
  { id, limit = limits.pageSize, nodesCursor, edgesCursor }: Arguments,
): Promise<Record<string, unknown>> {
  const isFirst = nodesCursor === undefined && edgesCursor === undefined;
  const of = { workflowId: id, limit };
  const workflow = await call('getWorkflow', { id });
  const nodes =
    isFirst || nodesCursor !== undefined ? await call('listNodes', { ...of, cursor: nodesCursor }) : null;
  const edges =
    isFirst || edgesCursor !== undefined ? await call('listEdges', { ...of, cursor: edgesCursor }) : null;
  const ofWorkflow = ({ workflow_id: _same, ...record }: { workflow_id: string }) => shown(record);
  return {
    workflow: shown(workflow),
    ...(nodes && { nodes: nodes.data.map(ofWorkflow), nodes_next_cursor: nodes.next_cursor }),
    ...(edges && { edges: edges.data.map(ofWorkflow), edges_next_cursor: edges.next_cursor }),
  };
}
