import type http from 'node:http';
import { newId } from '@waymark/contracts';
import type { MongoClient } from 'mongodb';
import type { Secrets } from '../dev/secrets.ts';
import type { RunningServices, ServiceProcess, ServicesOptions } from '../dev/services.ts';
import { addedUp, idleMs, type Load, printCost, type Spent, spentOn } from './call-cost.ts';
import { timesOf } from './callers.ts';
import { type Call, type CalledProcess, decisionCalls, type KnownDecision } from './decision-calls.ts';

/** Of one service, as many as the most that a row calls. */
const PROCESSES = 4;
/** To all processes of a row together: well below what two cores take, for at their limit processes cost each other their caches. */
const CALLS_PER_SECOND = 240;
const ROUNDS = 2;
const WORKSPACES = 100;
const KNOWN = 1_000;
/** Of each process and operation, before anything is measured: until V8 has compiled what runs often. */
const WARM_UP_CALLS = 1_500;
const WARM_UP_SECONDS = 0.5;
const CALLERS = 8;
/** As fast as they can, together: more than two cores take. */
const CALLERS_AT_ONCE = 16;

type Operation = 'POST /decisions' | 'GET /decisions/{id}';
type Called = CalledProcess & { process: ServiceProcess };
interface Row {
  what: string;
  called: readonly Called[];
  load: Load;
  /** Where it is not all of the workspaces: those are written to, and nothing is read. */
  writtenTo?: readonly string[];
}

export interface ReplicasOptions {
  start: (options: Pick<ServicesOptions, 'only' | 'replicas' | 'env'>) => Promise<RunningServices>;
  mongo: MongoClient;
  secrets: Secrets;
  agent: http.Agent;
  seconds: number;
}

/**
 * What a call takes with 1, 2 and 4 replicas of decisions, in 100 workspaces, at one rate for all of them and as fast as they can. Beside
 * them as many processes that are no replicas of each other (a database and an event stream each): what those take more than one is the
 * price of being called seldom, which one replica alone pays as well, and only what replicas take more than they is the price of being
 * replicas. All processes run from the first row to the last, and rows take turns: a row's figures are those of the processes that it calls.
 */
export async function measureReplicas({
  start,
  mongo,
  secrets,
  agent,
  seconds,
}: ReplicasOptions): Promise<void> {
  const workspaceIds = Array.from({ length: WORKSPACES }, () => newId());
  const calls = (called: readonly CalledProcess[], among: readonly string[] = workspaceIds) =>
    decisionCalls({ called, workspaceIds: among, secrets, agent });

  const running: RunningServices[] = [];

  /** An installation of decisions alone, on a database and an event stream of its own. */
  async function open(name: string, replicas: number): Promise<Called[]> {
    const database = `bench_${name}`;
    const env = { MONGODB_DATABASE: database, NATS_PREFIX: name };
    const services = await start({ only: ['decisions'], replicas: { decisions: replicas }, env });
    running.push(services);
    const found = services.processes.filter(({ service }) => service === 'decisions');
    const unknown = found.map((process) => ({ process, url: process.url, known: [] }));
    await warmUp(calls(unknown)['POST /decisions'], replicas);
    const known = await knownIn(mongo, database);
    const called = unknown.map((process) => ({ ...process, known }));
    await warmUp(calls(called)['GET /decisions/{id}'], replicas);
    return called;
  }

  async function span({ called, load, writtenTo }: Row, operation: Operation): Promise<Spent> {
    const call = calls(called, writtenTo)[operation];
    const processes = called.map(({ process }) => process);
    return spentOn(processes, mongo, { call, load, seconds: seconds / ROUNDS });
  }

  async function measure(operation: Operation, rows: readonly Row[], idleMsOfOne: number): Promise<void> {
    const sums = new Map<Row, Spent>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
        const spent = await span(row, operation);
        const before = sums.get(row);
        sums.set(row, before ? addedUp(before, spent) : spent);
      }
    }
    for (const row of rows) printCost(operation, row.what, sums.get(row)!, idleMsOfOne * row.called.length);
  }

  try {
    const replicas = await open('replicas', PROCESSES);
    const opened = Array.from({ length: PROCESSES }, (_, i) => open(`stranger${i}`, 1));
    const strangers = (await Promise.all(opened)).flat();
    const idle = await idleMs(
      replicas.map(({ process }) => process),
      mongo,
    );
    const together = (what: string, called: readonly Called[]) => ({
      what,
      called,
      load: { callsPerSecond: CALLS_PER_SECOND },
    });
    const alone = (callsPerSecond: number) => ({
      what: 'one replica, called less',
      called: replicas.slice(0, 1),
      load: { callsPerSecond },
    });
    const atOnce = (what: string, called: readonly Called[]) => ({
      what: `${what}, ${CALLERS_AT_ONCE} callers`,
      called,
      load: { callers: CALLERS_AT_ONCE },
    });
    const rows: Row[] = [
      together('1 replica', replicas.slice(0, 1)),
      together('2 replicas', replicas.slice(0, 2)),
      together('2 strangers', strangers.slice(0, 2)),
      together('4 replicas', replicas),
      together('4 strangers', strangers),
      { ...together('4 replicas, one workspace', replicas), writtenTo: workspaceIds.slice(0, 1) },
      alone(CALLS_PER_SECOND / 2),
      alone(CALLS_PER_SECOND / 4),
      atOnce('1 replica', replicas.slice(0, 1)),
      atOnce('2 replicas', replicas.slice(0, 2)),
      atOnce('2 strangers', strangers.slice(0, 2)),
      atOnce('4 replicas', replicas),
      atOnce('4 strangers', strangers),
    ];
    const isRead = ({ writtenTo }: Row) => writtenTo === undefined;
    await measure('POST /decisions', rows, idle / PROCESSES);
    await measure('GET /decisions/{id}', rows.filter(isRead), idle / PROCESSES);
  } finally {
    await Promise.all(running.map((services) => services.stop()));
  }
}

async function warmUp(call: Call, processes: number): Promise<void> {
  for (let calls = 0; calls < WARM_UP_CALLS * processes; )
    calls += (await timesOf(CALLERS, WARM_UP_SECONDS, call)).length;
}

async function knownIn(mongo: MongoClient, database: string): Promise<KnownDecision[]> {
  const decisions = mongo.db(database).collection<{ _id: string; workspace_id: string }>('decisions');
  const found = await decisions
    .find({}, { projection: { workspace_id: 1 } })
    .limit(KNOWN)
    .toArray();
  return found.map(({ _id, workspace_id }) => ({ id: _id, workspaceId: workspace_id }));
}
