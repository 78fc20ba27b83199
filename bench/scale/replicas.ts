import http from 'node:http';
import { newId } from '@waymark/contracts';
import { findRepositoryRoot, freePort } from '@waymark/local-stack';
import { MongoClient } from 'mongodb';
import { type RunningServices, type ServiceProcess, startServices } from '../../dev/services.ts';
import { startTemporaryProduct } from '../../dev/temporary-product.ts';
import { warmUp } from '../support/callers.ts';
import { type CalledProcess, decisionCalls, type KnownDecision } from '../support/decision-calls.ts';
import { idleMs, type Load, printCost, type Spent, spentByTurns, spentOn } from './call-cost.ts';

/** Replicas of the service: the largest number that a row uses. */
const PROCESSES = 4;
/** Calls per second to all processes of a row, well below the capacity of two cores. */
const CALLS_PER_SECOND = 240;
const WORKSPACES = 100;
const KNOWN = 1_000;
/**
 * Concurrent callers, enough to saturate two cores; with the larger number, each of four replicas always
 * has work.
 */
const CALLERS_AT_ONCE = [16, 64];
/** Calls per second to each process, as when replicas are added for more load. */
const EACH = { callers: 16, callsPerSecond: CALLS_PER_SECOND / PROCESSES };

type Operation = 'POST /decisions' | 'GET /decisions/{id}';
type Called = CalledProcess & { process: ServiceProcess };
interface Row {
  what: string;
  called: readonly Called[];
  load: Load;
  /** Workspaces to write to, if not all of them; such a row does not read. */
  writtenTo?: readonly string[];
}

export interface ReplicasOptions {
  /** Rounds per row. */
  seconds: number;
  /** Measures only rows whose name matches. */
  only: RegExp;
}

/**
 * Measures calls with 1, 2 and 4 replicas of decisions in 100 workspaces: at one rate in total, at full
 * speed, and at the same rate for each. As a baseline, it measures as many unrelated processes, each with
 * its own database and event stream. They show the cost of calling a process rarely; only the excess over
 * them is the cost of replication. All processes run during the whole bench, and rows alternate.
 */
export async function measureReplicas({ seconds, only }: ReplicasOptions): Promise<void> {
  const { stores, secrets, directory: logDirectory, stop } = await startTemporaryProduct({ only: [] });
  const mongo = new MongoClient(stores.mongoUrl);
  const agent = new http.Agent({ keepAlive: true });
  const workspaceIds = Array.from({ length: WORKSPACES }, () => newId());
  const calls = (called: readonly CalledProcess[], among: readonly string[] = workspaceIds) =>
    decisionCalls({ called, workspaceIds: among, secrets, agent });

  const running: RunningServices[] = [];

  /** An installation of the decisions service with its own database and event stream. */
  async function open(name: string, replicas: number): Promise<Called[]> {
    const database = `bench_${name}`;
    const services = await startServices({
      root: findRepositoryRoot(),
      port: await freePort(),
      stores,
      secrets,
      logDirectory,
      only: ['decisions'],
      replicas: { decisions: replicas },
      env: { MONGODB_DATABASE: database, NATS_PREFIX: name, LIMIT_SCALE: '1000000', LOG_LEVEL: 'warn' },
    });
    running.push(services);
    const found = services.processes.filter(({ service }) => service === 'decisions');
    const unknown = found.map((process) => ({ process, url: process.url, known: [] }));
    await warmUp(calls(unknown)['POST /decisions'], replicas);
    const known = await knownIn(mongo, database);
    const called = unknown.map((process) => ({ ...process, known }));
    await warmUp(calls(called)['GET /decisions/{id}'], replicas);
    return called;
  }

  function span({ called, load, writtenTo }: Row, operation: Operation, ofSeconds: number): Promise<Spent> {
    const call = calls(called, writtenTo)[operation];
    const processes = called.map(({ process }) => process);
    return spentOn(processes, mongo, { call, load, seconds: ofSeconds });
  }

  async function measure(operation: Operation, rows: readonly Row[], idleMsOfOne: number): Promise<void> {
    const spent = await spentByTurns(rows, seconds, (row, turn) => span(row, operation, turn.seconds));
    for (const [{ what, called }, sum] of spent) printCost(operation, what, sum, idleMsOfOne * called.length);
  }

  try {
    const replicas = await open('replicas', PROCESSES);
    const opened = Array.from({ length: PROCESSES }, (_, i) => open(`stranger${i}`, 1));
    const strangers = (await Promise.all(opened)).flat();
    const idle = await idleMs(
      replicas.map(({ process }) => process),
      mongo,
    );
    const several: [what: string, called: readonly Called[]][] = [
      ['1 replica', replicas.slice(0, 1)],
      ['2 replicas', replicas.slice(0, 2)],
      ['2 strangers', strangers.slice(0, 2)],
      ['4 replicas', replicas],
      ['4 strangers', strangers],
    ];
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
    const atOnce = (callers: number): Row[] =>
      several.map(([what, called]) => ({ what: `${what}, ${callers} callers`, called, load: { callers } }));
    const each = several.flatMap(([what, called]): Row[] => {
      const load = { callers: EACH.callers * called.length };
      const rate = { callsPerSecond: EACH.callsPerSecond * called.length };
      return [
        { what: `${what}, ${EACH.callers} callers each`, called, load },
        { what: `${what}, ${EACH.callsPerSecond} calls/s each`, called, load: rate },
      ];
    });
    const all: Row[] = [
      ...several.map(([what, called]) => together(what, called)),
      { ...together('4 replicas, one workspace', replicas), writtenTo: workspaceIds.slice(0, 1) },
      alone(CALLS_PER_SECOND / 2),
      alone(CALLS_PER_SECOND / 4),
      ...CALLERS_AT_ONCE.flatMap(atOnce),
      ...each,
    ];
    const rows = all.filter(({ what }) => only.test(what));
    const isRead = ({ writtenTo }: Row) => writtenTo === undefined;
    await measure('POST /decisions', rows, idle / PROCESSES);
    await measure('GET /decisions/{id}', rows.filter(isRead), idle / PROCESSES);
  } finally {
    agent.destroy();
    await mongo.close();
    await Promise.all(running.map((services) => services.stop()));
    await stop();
  }
}

async function knownIn(mongo: MongoClient, database: string): Promise<KnownDecision[]> {
  const decisions = mongo.db(database).collection<{ _id: string; workspace_id: string }>('decisions');
  const found = await decisions
    .find({}, { projection: { workspace_id: 1 } })
    .limit(KNOWN)
    .toArray();
  return found.map(({ _id, workspace_id }) => ({ id: _id, workspaceId: workspace_id }));
}
