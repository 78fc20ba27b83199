import { deepEqual } from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  BASE_PATH,
  type EventEnvelope,
  type EventType,
  internalHeaders,
  type Principal,
} from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { type Db, MongoClient } from 'mongodb';
import { eventually } from '../eventually.ts';
import { type Answer, type CallInput, httpCall } from '../http/http-call.ts';
import { patience } from '../patience.ts';
import { expectValidEvents } from './expect-valid-events.ts';
import { type Env, testEnvironment } from './test-environment.ts';
import { testIdentity } from './test-identity.ts';
import { deleteStream, watchEvents } from './watch-events.ts';

/** The time that the gateway would give the service. */
const ANSWER_TIMEOUT_MS = patience(60_000);

/** The start function that every service exports. */
export type Start = (env: Env, seams?: Seams) => Promise<RunningService>;

export interface OneService {
  url: string;
  adminPort: number;
  env: Env;
  /** The service's own database. */
  database: Db;
  /** What accounts says of a caller when it is asked again, by the user's id. Default: the same as before. */
  callersNow: Map<string, Principal | null>;
  /** Every event on this environment's stream so far. */
  events: EventEnvelope[];
  /** Waits for the events that `about` chooses. Throws unless they have exactly `types` in this order. */
  eventsOf(about: (event: EventEnvelope) => boolean, types: readonly EventType[]): Promise<EventEnvelope[]>;
  /** Calls the service as `principal` would through the gateway; null sends no identity. */
  call(principal: Principal | null, method: string, path: string, input?: CallInput): Promise<Answer>;
  /** Calls another replica in the same way. */
  callAt(url: string, ...call: Parameters<OneService['call']>): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts one service in this process on the real stores, with its own database and stream. */
export async function startOne(
  start: Start,
  options: { env?: Env; seams?: Seams } = {},
): Promise<OneService> {
  const callersNow: OneService['callersNow'] = new Map();
  const accounts = await startAccounts(callersNow);
  const given: Env = { ...testEnvironment(), ACCOUNTS_URL: accounts.url, ...options.env };
  const env: Env = { MONGODB_DATABASE: `${given['NATS_PREFIX']}_service`, ...given };
  const watch = await watchEvents(env);
  const service = await start(env, options.seams).catch(async (error: unknown) => {
    await watch.stop();
    accounts.stop();
    throw error;
  });
  // The services use the same read concern: what a test sees is visible to the service as well.
  const mongo = new MongoClient(String(env['MONGODB_URL']), { readConcern: { level: 'majority' } });
  const database = mongo.db(env['MONGODB_DATABASE']);
  await service.ready;
  const identity = testIdentity(options.seams?.now);

  const callAt: OneService['callAt'] = async (url, principal, method, path, input = {}) => {
    const token = principal ? await identity.sign(principal, service.service) : undefined;
    return httpCall(url, method, path.startsWith('/internal/') ? path : BASE_PATH + path, {
      ...input,
      headers: {
        ...(token && { [internalHeaders.identity]: token }),
        [internalHeaders.timeoutMs]: String(ANSWER_TIMEOUT_MS),
        ...input.headers,
      },
    });
  };

  return {
    url: service.url,
    adminPort: service.adminPort,
    env,
    database,
    callersNow,
    events: watch.events,
    async eventsOf(about, types) {
      await eventually(() => watch.events.filter(about).length >= types.length);
      const found = watch.events.filter(about).sort((a, b) => (a.id < b.id ? -1 : 1));
      deepEqual(
        found.map(({ type }) => type),
        types,
      );
      return found;
    },
    call: (...call) => callAt(service.url, ...call),
    callAt,
    async stop() {
      await service.stop();
      accounts.stop();
      await deleteStream(watch, env);
      await watch.stop();
      try {
        await expectValidEvents(database);
      } finally {
        await database.dropDatabase();
        await mongo.close();
      }
    },
  };
}

/** Answers as accounts does when a service asks for a caller again. */
async function startAccounts(
  callersNow: OneService['callersNow'],
): Promise<{ url: string; stop: () => void }> {
  const server = http.createServer(async (request, response) => {
    if (request.method !== 'POST') return request.socket.destroy();
    const { principal } = (await json(request)) as { principal: { user_id: string } };
    const now = callersNow.get(principal.user_id);
    response.end(JSON.stringify({ principal: now === undefined ? principal : now }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
