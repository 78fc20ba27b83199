import { newId } from '@waymark/contracts';
import { startBench } from '../support/bench.ts';
import { quantile } from '../support/quantile.ts';
import { machine, printHead, printRow } from '../support/table.ts';
import { randomNumbers } from '../support/texts.ts';

/**
 * `npm run bench:graph [rounds]`: reads a workflow with 5,000 nodes and 10,000 edges
 * through the gateway, and writes all of it with one PUT. Alternates with a bare read of the same
 * documents, which shows the load of the machine.
 */
const rounds = Number(process.argv[2] ?? 20);
const NODES = 5_000;
const EDGES = 10_000;
const WARM_ROUNDS = 3;

const bench = await startBench({
  only: ['accounts', 'workflows'],
  // A busy machine may exceed the gateway's default timeout.
  env: { UPSTREAM_RESPONSE_TIMEOUT_MS: '120000' },
});

const random = randomNumbers(1);
const ids = Array.from({ length: NODES }, () => newId());
const pairs = new Set<string>();
while (pairs.size < EDGES) {
  const source = Math.floor(random() * NODES);
  const target = Math.floor(random() * NODES);
  if (source < target) pairs.add(`${source} ${target}`);
}

/** Every node and edge differs in each round; otherwise a PUT would write nothing. */
function graphOf(round: number) {
  return {
    nodes: ids.map((id, i) => ({
      id,
      type: i % 5 === 0 ? 'decision' : 'task',
      title: `Step ${i}, as of change ${round}`,
      positionX: (i % 100) * 120,
      positionY: Math.floor(i / 100) * 80,
      data: { estimate: (i % 13) + 1, labels: ['backend', 'search'], round },
    })),
    edges: [...pairs].map((pair) => {
      const [source, target] = pair.split(' ').map((index) => ids[Number(index)]!);
      return { sourceId: source, targetId: target, condition: { round, if: 'ready' } };
    }),
  };
}

const figures = new Map<string, number[]>();
async function timed<T>(name: string, isWarm: boolean, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  const ms = performance.now() - startedAt;
  if (isWarm) figures.set(name, [...(figures.get(name) ?? []), ms]);
  return result;
}

try {
  const { workspaceId, call } = await bench.workspace();
  const { id } = await call('POST', '/workflows', { body: { workspaceId, title: 'Bench', acyclic: true } });
  const collections = ['nodes', 'edges'].map((name) => bench.mongo.db('waymark_workflows').collection(name));

  for (let round = 0; round < WARM_ROUNDS + rounds; round += 1) {
    const isWarm = round >= WARM_ROUNDS;
    const body = graphOf(round);
    await timed('PUT the graph, all of it changed', isWarm, () =>
      call('PUT', `/workflows/${id}/graph`, { body, headers: { 'If-Match': '*' } }),
    );
    await timed('bare MongoDB read of both', isWarm, () =>
      Promise.all(collections.map((collection) => collection.find({ workflow_id: id }).toArray())),
    );
    const graph = await timed('GET the graph', isWarm, () => call('GET', `/workflows/${id}/graph`));
    const found = graph.nodes.length + graph.edges.length;
    if (found !== NODES + EDGES) throw new Error(`${found} records where ${NODES + EDGES} were written`);
  }
} finally {
  await bench.stop();
}

console.log(`\n${NODES} nodes, ${EDGES} edges, ${rounds} rounds, ${machine()}\n`);
printHead(['ms', 'least', 'p50', 'most']);
for (const [name, ms] of figures)
  printRow([name, ...[0, 0.5, 1].map((share) => quantile(ms, share).toFixed(0))]);
