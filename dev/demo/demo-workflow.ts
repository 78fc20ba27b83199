import { newId } from '@waymark/contracts';

const columnX = (column: number) => column * 285;
const rowY = (row: number) => row * 160;

/** The nodes by name, from the idea to the first week in production. */
const nodes = {
  brief: {
    type: 'doc',
    title: 'Brief: what the search has to do',
    status: 'done',
    at: [0, 1],
    assignedTo: 'Mira',
    data: { url: 'https://wiki.waymark.example/search-brief', words: 640 },
  },
  engine: {
    type: 'decision',
    title: 'Which engine indexes our text?',
    status: 'done',
    at: [1, 0.4],
    assignedTo: 'Mira',
    data: {},
  },
  build: {
    type: 'task',
    title: 'Build the indexer',
    status: 'in_progress',
    at: [2, 0],
    assignedTo: 'Jonas',
    data: { estimate_days: 5, checklist: ['Fold case', 'Rebuild while serving', 'Two replicas'] },
  },
  figures: {
    type: 'table',
    title: 'Load figures by workspace size',
    status: 'in_review',
    at: [2, 1.2],
    assignedTo: 'Aiko',
    data: {
      columns: ['Items', 'p99 in ms'],
      rows: [
        [1_000, 2],
        [100_000, 9],
      ],
    },
  },
  questions: {
    type: 'thread',
    title: 'Open questions from support',
    status: 'todo',
    at: [3, 2.2],
    assignedTo: null,
    data: {},
  },
  rollout: {
    type: 'automation',
    title: 'Switch on for one workspace in ten',
    status: 'todo',
    at: [3, 0.6],
    assignedTo: 'Jonas',
    data: { trigger: 'build is done', share: 0.1 },
  },
  pulse: {
    type: 'pulse',
    title: 'First week: searches without a hit',
    status: 'backlog',
    at: [4, 1.4],
    assignedTo: null,
    data: { metric: 'empty_searches', unit: '%' },
  },
  handbook: {
    type: 'doc',
    title: 'Handbook: what finds what',
    status: 'todo',
    at: [2, 2.4],
    assignedTo: 'Aiko',
    data: {},
  },
  phonetic: {
    type: 'task',
    title: 'Phonetic matching',
    status: 'cancelled',
    at: [1, 1.8],
    assignedTo: null,
    data: { reason: 'Nobody asked for it' },
  },
} as const;

type NodeName = keyof typeof nodes;

const edges: { from: NodeName; to: NodeName; condition?: Record<string, unknown> }[] = [
  { from: 'brief', to: 'engine' },
  { from: 'brief', to: 'phonetic' },
  { from: 'engine', to: 'build' },
  { from: 'engine', to: 'figures', condition: { status: 'accepted' } },
  { from: 'phonetic', to: 'handbook' },
  { from: 'handbook', to: 'questions' },
  { from: 'figures', to: 'rollout', condition: { p99_ms: { at_most: 50 } } },
  { from: 'build', to: 'rollout' },
  { from: 'questions', to: 'pulse' },
  { from: 'rollout', to: 'pulse' },
];

/** Messages on the nodes, in order, by the demo's owner or by a program with its key. */
export const demoMessages: {
  on: NodeName;
  by: 'owner' | 'program';
  content: string;
  contentType?: string;
}[] = [
  { on: 'build', by: 'owner', content: 'Does the index keep up while a whole workspace is imported?' },
  {
    on: 'build',
    by: 'program',
    content: 'Nightly run: **10,956 items/s**, `max` 2.8 ms a query. No regression.',
    contentType: 'markdown',
  },
  { on: 'build', by: 'owner', content: 'Good. Then only case folding is left: straße has to find STRASSE.' },
  {
    on: 'figures',
    by: 'owner',
    content: 'Please add a row for 1,000,000 items before the review.',
  },
  {
    on: 'questions',
    by: 'owner',
    content: '- Can I search for a single letter?\n- Does `%` mean anything?',
    contentType: 'markdown',
  },
];

export const demoWorkflow = {
  title: 'Bring search to every workspace',
  description: 'From the brief to the first week in production.',
  acyclic: true,
};

/** Returns the graph with new ids as the body of PUT /workflows/{id}/graph, and the ids by node name. */
export function demoGraph() {
  const ids = Object.fromEntries(Object.keys(nodes).map((name) => [name, newId()])) as Record<
    NodeName,
    string
  >;
  const graphNodes = Object.entries(nodes).map(([name, { at, ...node }]) => ({
    ...node,
    id: ids[name as NodeName],
    positionX: columnX(at[0]),
    positionY: rowY(at[1]),
  }));
  const graphEdges = edges.map(({ from, to, condition = null }) => ({
    sourceId: ids[from],
    targetId: ids[to],
    condition,
  }));
  return { ids, graph: { nodes: graphNodes, edges: graphEdges } };
}
