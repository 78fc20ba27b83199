import { type EventEnvelope, type ServiceName, services } from '@waymark/contracts';
import { freePort } from '@waymark/local-stack';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { MongoClient } from 'mongodb';
import { expectValidEvents } from './expect-valid-events.ts';
import { type StackClient, stackClient } from './stack-client.ts';
import type { Start } from './start-one.ts';
import { type Env, LONG_TIMEOUT_MS, serviceEnvironment, testEnvironment } from './test-environment.ts';
import { deleteStream, watchEvents } from './watch-events.ts';

export interface Stack extends StackClient {
  env: Env;
  running: Partial<Record<ServiceName, RunningService>>;
  events: EventEnvelope[];
  stop(): Promise<void>;
}

/** Additional environment of the services, or a function of the gateway's origin that returns it. */
export type EnvOf = Env | ((publicUrl: string) => Promise<Env>);

/** Starts all services in this process, behind a gateway, on the real stores. */
export async function startStack(
  starts: Partial<Record<ServiceName, Start>>,
  options: { env?: EnvOf; seams?: Seams } = {},
): Promise<Stack> {
  const names = Object.keys(starts) as ServiceName[];
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await freePort()] as const)),
  );
  const publicUrl = `http://127.0.0.1:${ports['gateway']}`;
  const given = typeof options.env === 'function' ? await options.env(publicUrl) : options.env;
  const scheme = given?.['TLS_CERT_FILE'] ? 'https' : 'http';
  const urls = Object.fromEntries(
    (Object.keys(services) as ServiceName[]).map((name) => [
      `${name.toUpperCase()}_URL`,
      `${scheme}://127.0.0.1:${ports[name] ?? 1}`,
    ]),
  );
  const env: Env = {
    ...testEnvironment(),
    ...urls,
    PUBLIC_URL: publicUrl,
    LIMIT_SCALE: '1000',
    UPSTREAM_RESPONSE_TIMEOUT_MS: LONG_TIMEOUT_MS,
    ...given,
  };
  const watch = await watchEvents(env);
  const running: Partial<Record<ServiceName, RunningService>> = {};
  await Promise.all(
    names.map(async (name) => {
      const own = { ...serviceEnvironment(env, name), PORT: String(ports[name]) };
      running[name] = await starts[name]!(own, options.seams);
      await running[name].ready;
    }),
  );
  const { close, ...client } = stackClient(publicUrl, { suffix: String(env['NATS_PREFIX']) });

  return {
    ...client,
    env,
    running,
    events: watch.events,
    async stop() {
      close();
      await running.gateway?.stop();
      await Promise.all(names.map((name) => running[name]?.stop()));
      await deleteStream(watch, env);
      await watch.stop();
      if (!env['MONGODB_URL']) return;
      const mongo = new MongoClient(env['MONGODB_URL']);
      const databases = names.map((name) => mongo.db(serviceEnvironment(env, name)['MONGODB_DATABASE']));
      try {
        for (const database of databases) await expectValidEvents(database);
      } finally {
        await Promise.all(databases.map((database) => database.dropDatabase()));
        await mongo.close();
      }
    },
  };
}
