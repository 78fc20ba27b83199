import http from 'node:http';
import { BASE_PATH, type EventEnvelope, type ServiceName, services } from '@waymark/contracts';
import { freePort } from '@waymark/local-stack';
import type { RunningService, Seams } from '@waymark/service-kit';
import { MongoClient } from 'mongodb';
import { checkAnswer } from './check-answer.ts';
import { type Answer, type CallInput, httpCall } from './http-call.ts';
import type { Start } from './start-one.ts';
import { type Env, testEnvironment } from './test-environment.ts';
import { deleteStream, watchEvents } from './watch-events.ts';

export interface Owner {
  userId: string;
  workspaceId: string;
  email: string;
  password: string;
  /** The Cookie header of the session. */
  cookie: string;
}

export interface Stack {
  /** The gateway's origin, without the base path. */
  url: string;
  env: Env;
  running: Partial<Record<ServiceName, RunningService>>;
  events: EventEnvelope[];
  /** A client's call through the gateway: `key` goes as a bearer. The answer is held against openapi.json. */
  call(method: string, path: string, input?: CallInput & { key?: string; cookie?: string }): Promise<Answer>;
  /** A new user with a workspace, signed in. */
  signUp(name?: string): Promise<Owner>;
  /** A new key of the owner's workspace. */
  createKey(owner: Owner, scopes?: ('read' | 'write')[], extra?: Record<string, unknown>): Promise<string>;
  /** An owner with a key for reading and writing. */
  workspace(): Promise<Owner & { key: string }>;
  stop(): Promise<void>;
}

/** What the services read beside the usual; by the gateway's origin, where it depends on that. */
export type EnvOf = Env | ((publicUrl: string) => Promise<Env>);

/** The whole constellation in this process, behind a gateway, on the real stores. */
export async function startStack(
  starts: Partial<Record<ServiceName, Start>>,
  options: { env?: EnvOf; seams?: Seams } = {},
): Promise<Stack> {
  const names = Object.keys(starts) as ServiceName[];
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await freePort()] as const)),
  );
  const urls = Object.fromEntries(
    (Object.keys(services) as ServiceName[]).map((name) => [
      `${name.toUpperCase()}_URL`,
      `http://127.0.0.1:${ports[name] ?? 1}`,
    ]),
  );
  const publicUrl = `http://127.0.0.1:${ports['gateway']}`;
  const env: Env = {
    ...testEnvironment(),
    ...urls,
    PUBLIC_URL: publicUrl,
    LIMIT_SCALE: '1000',
    ...(typeof options.env === 'function' ? await options.env(publicUrl) : options.env),
  };
  const watch = await watchEvents(env);
  const databaseOf = (name: string) => `${env['NATS_PREFIX']}_${name}`;
  const running: Partial<Record<ServiceName, RunningService>> = {};
  await Promise.all(
    names.map(async (name) => {
      const own = { ...env, PORT: String(ports[name]), MONGODB_DATABASE: databaseOf(name) };
      running[name] = await starts[name]!(own, options.seams);
      await running[name].ready;
    }),
  );
  const agent = new http.Agent({ keepAlive: true });

  const call: Stack['call'] = async (method, path, { key, cookie, headers, ...input } = {}) => {
    const answer = await httpCall(publicUrl, method, BASE_PATH + path, {
      agent,
      ...input,
      headers: { ...(key && { authorization: `Bearer ${key}` }), ...(cookie && { cookie }), ...headers },
    });
    checkAnswer(method, path.split('?')[0]!, answer);
    return answer;
  };

  let users = 0;
  const stack: Stack = {
    url: publicUrl,
    env,
    running,
    events: watch.events,
    call,
    async signUp(name = 'Ada Lovelace') {
      users += 1;
      const email = `user${users}.${env['NATS_PREFIX']}@example.com`;
      const password = 'correct horse battery';
      const answer = await call('POST', '/auth/sign-up', { body: { email, password, name } });
      if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${answer.text}`);
      const cookie = answer.cookies[0]!.split(';')[0]!;
      return {
        userId: answer.body.user.id,
        workspaceId: answer.body.workspaces[0].id,
        email,
        password,
        cookie,
      };
    },
    async createKey(owner, scopes = ['read', 'write'], extra = {}) {
      const body = { workspaceId: owner.workspaceId, name: 'test key', scopes, ...extra };
      const answer = await call('POST', '/api-keys', { cookie: owner.cookie, body });
      if (answer.status !== 201) throw new Error(`key creation answered ${answer.status}: ${answer.text}`);
      return answer.body.key;
    },
    async workspace() {
      const owner = await stack.signUp();
      return { ...owner, key: await stack.createKey(owner) };
    },
    async stop() {
      agent.destroy();
      await running.gateway?.stop();
      await Promise.all(names.map((name) => running[name]?.stop()));
      await deleteStream(watch, env);
      await watch.stop();
      if (!env['MONGODB_URL']) return;
      const mongo = new MongoClient(env['MONGODB_URL']);
      await Promise.all(names.map((name) => mongo.db(databaseOf(name)).dropDatabase()));
      await mongo.close();
    },
  };
  return stack;
}
