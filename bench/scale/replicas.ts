import http from 'node:http';
import { newId } from '@waymark/contracts';
import { MongoClient } from 'mongodb';
import { startTemporaryProduct } from '../../dev/temporary-product.ts';
import { warmUp } from '../support/callers.ts';
import { type CalledProcess, decisionCalls, type KnownDecision } from '../support/decision-calls.ts';
import { idleMs, printCost, spentByTurns, spentOn } from './call-cost.ts';

const REPLICAS = [1, 2, 4];
/** Calls per second to each process, as when replicas are added for more load; well below two cores. */
const CALLS_PER_SECOND = 60;
const WORKSPACES = 100;
const KNOWN = 1_000;

/**
 * Measures calls at the same rate for each of 1, 2 and 4 replicas of decisions, in 100 workspaces. All
 * replicas run during the whole bench, and rows alternate.
 */
export async function measureReplicas(seconds: number): Promise<void> {
  const most = Math.max(...REPLICAS);
  const product = await startTemporaryProduct({
    only: ['decisions'],
    replicas: { decisions: most },
    env: { LIMIT_SCALE: '1000000', LOG_LEVEL: 'warn' },
  });
  const { stores, secrets, services, stop } = product;
  const mongo = new MongoClient(stores.mongoUrl);
  const agent = new http.Agent({ keepAlive: true });
  const workspaceIds = Array.from({ length: WORKSPACES }, () => newId());
  const calls = (called: readonly CalledProcess[]) => decisionCalls({ called, workspaceIds, secrets, agent });
  try {
    const processes = services.processes.filter(({ service }) => service === 'decisions');
    const unknown = processes.map(({ url }) => ({ url, known: [] }));
    await warmUp(calls(unknown)['POST /decisions'], most);
    const known = await knownIn(mongo);
    const called = processes.map(({ url }) => ({ url, known }));
    await warmUp(calls(called)['GET /decisions/{id}'], most);
    const idle = await idleMs(processes, mongo);
    for (const operation of ['POST /decisions', 'GET /decisions/{id}'] as const) {
      const spent = await spentByTurns(REPLICAS, seconds, (count, turn) =>
        spentOn(processes.slice(0, count), mongo, {
          call: calls(called.slice(0, count))[operation],
          callsPerSecond: CALLS_PER_SECOND * count,
          seconds: turn.seconds,
        }),
      );
      for (const [count, sum] of spent)
        printCost(
          operation,
          `${count} replicas, ${CALLS_PER_SECOND} calls/s each`,
          sum,
          (idle / most) * count,
        );
    }
  } finally {
    agent.destroy();
    await mongo.close();
    await stop();
  }
}

async function knownIn(mongo: MongoClient): Promise<KnownDecision[]> {
  const decisions = mongo
    .db('waymark_decisions')
    .collection<{ _id: string; workspace_id: string }>('decisions');
  const found = await decisions
    .find({}, { projection: { workspace_id: 1 } })
    .limit(KNOWN)
    .toArray();
  return found.map(({ _id, workspace_id }) => ({ id: _id, workspaceId: workspace_id }));
}
