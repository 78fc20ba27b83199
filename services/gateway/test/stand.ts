import http from 'node:http';
import { afterAll, beforeAll } from '@jest/globals';
import { BASE_PATH } from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import {
  type Answer,
  type CallInput,
  type Env,
  eventually,
  httpCall,
  testEnvironment,
} from '@waymark/testing';
import { startGateway } from '../src/service.ts';
import { type AccountsDouble, startAccountsDouble } from './accounts-double.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export interface Call extends CallInput {
  key?: string | undefined;
  cookie?: string | undefined;
}

/** Gateways on real Redis and NATS, in front of servers that the test controls. */
export interface Stand extends AsyncDisposable {
  accounts: AccountsDouble;
  /** The first replica of decisions. */
  decisions: Upstream;
  replicas: Upstream[];
  gateways: RunningService[];
  /** The first gateway's origin. */
  url: string;
  env: Env;
  call(method: string, path: string, input?: Call): Promise<Answer>;
  callAt(gateway: RunningService, method: string, path: string, input?: Call): Promise<Answer>;
  /** Returns the first gateway's metric that has all of the labels, for example `result="refused"`. */
  metric(name: string, ...labels: string[]): Promise<number>;
  metricAt(gateway: RunningService, name: string, ...labels: string[]): Promise<number>;
  stop(): Promise<void>;
}

interface Options {
  gateways?: number;
  /** How many replicas decisions has. */
  replicas?: number;
  env?: Env;
  seams?: Seams;
  stores?: ('nats' | 'redis')[];
}

/** Starts a stand before the tests of a file or a describe, and stops it after them. */
export function useStand(options: Options | (() => Promise<Options>) = {}): Stand {
  const stand = {} as Stand;
  beforeAll(async () => {
    Object.assign(stand, await startStand(typeof options === 'function' ? await options() : options));
  });
  afterAll(() => stand.stop());
  return stand;
}

/** Starts a stand for one test: `await using` stops it at the end of the block. */
export async function startStand(options: Options = {}): Promise<Stand> {
  const base = { ...testEnvironment(), ...options.env };
  const accounts = await startAccountsDouble(base, options.seams?.now);
  const replicas = await Promise.all(Array.from({ length: options.replicas ?? 1 }, startUpstream));
  const env = {
    ACCOUNTS_URL: accounts.url,
    DECISIONS_URL: replicas.map(({ url }) => url).join(),
    TRANSFER_URL: replicas[0]!.url,
    WORKFLOWS_URL: replicas[0]!.url,
    PUBLIC_URL: 'http://waymark.test',
    // Far longer than a busy machine needs. Only the tests of outages need a short timeout.
    REDIS_TIMEOUT_MS: '1000',
    ...base,
  };
  const gateways: RunningService[] = [];
  for (let i = 0; i < (options.gateways ?? 1); i += 1) gateways.push(await startGateway(env, options.seams));
  const agent = new http.Agent({ keepAlive: true });
  const callAt: Stand['callAt'] = (gateway, method, path, { key, cookie, headers, ...input } = {}) =>
    httpCall(gateway.url, method, BASE_PATH + path, {
      agent,
      ...input,
      headers: { ...(key && { authorization: `Bearer ${key}` }), ...(cookie && { cookie }), ...headers },
    });
  async function stop(): Promise<void> {
    agent.destroy();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await accounts.stop();
    await Promise.all(replicas.map((replica) => replica.kill()));
  }
  const stand: Stand = {
    accounts,
    decisions: replicas[0]!,
    replicas,
    gateways,
    url: gateways[0]!.url,
    env,
    callAt,
    call: (method, path, input) => callAt(gateways[0]!, method, path, input),
    metric: (name, ...labels) => metricOf(gateways[0]!, name, labels),
    metricAt: (gateway, name, ...labels) => metricOf(gateway, name, labels),
    stop,
    [Symbol.asyncDispose]: stop,
  };
  // Gateways repeat the look-ups that they made before NATS was connected, and tests count look-ups. Until
  // Redis is connected, each gateway counts by itself.
  await eventually(async () => {
    const up = gateways.flatMap((gateway) =>
      (options.stores ?? ['nats', 'redis']).map((store) =>
        metricOf(gateway, 'waymark_store_up', [`store="${store}"`]),
      ),
    );
    return (await Promise.all(up)).every((one) => one === 1) && accounts.runtime.nats.connection() !== null;
  });
  return stand;
}

async function metricOf({ adminPort }: RunningService, name: string, labels: string[]): Promise<number> {
  const { text } = await httpCall(`http://127.0.0.1:${adminPort}`, 'GET', '/metrics');
  const isWanted = (line: string) =>
    line.startsWith(`${name}{`) && labels.every((label) => line.includes(label));
  const found = text.split('\n').find(isWanted);
  return Number(found?.split(' ').at(-1) ?? Number.NaN);
}
