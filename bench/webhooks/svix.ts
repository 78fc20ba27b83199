import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '@waymark/contracts';
import { acquireBinary, freePort, startProcess, startRedis } from '@waymark/local-stack';
import { httpCall } from '@waymark/testing';
import { startPostgres } from '../support/postgres.ts';
import type { Source } from './load.ts';
import { eventOf } from './waymark.ts';

/** Enough connections for Svix's pool of 100; other settings are PostgreSQL's defaults. */
const POSTGRES = { max_connections: '200', synchronous_commit: 'on', plan_cache_mode: 'auto' };
/** The settings of Svix's docker-compose.yml, which recommends a durable queue. */
const REDIS = ['--save', '60 500', '--appendonly', 'yes', '--appendfsync', 'everysec'];

/**
 * Starts Svix with its own PostgreSQL and Redis, default settings except for the cache in Redis, and one
 * endpoint of one application.
 */
export async function startSvix(binary: string, endpointUrl: string): Promise<Source> {
  const directory = await mkdtemp(join(tmpdir(), 'waymark-svix-'));
  const postgres = await startPostgres(directory, POSTGRES);
  if (!postgres) throw new Error('Svix needs PostgreSQL (apt-get install postgresql)');
  const redis = await startRedis({
    binary: await acquireBinary('redis', console.error),
    dataDir: join(directory, 'redis'),
    args: REDIS,
  });
  const port = await freePort();
  const api = `http://127.0.0.1:${port}/api/v1`;
  const env = {
    SVIX_LISTEN_ADDRESS: `127.0.0.1:${port}`,
    SVIX_DB_DSN: `postgresql://postgres@localhost/postgres?host=${dirname(postgres.socket)}`,
    SVIX_REDIS_DSN: redis.url,
    SVIX_QUEUE_TYPE: 'redis',
    SVIX_CACHE_TYPE: 'redis',
    SVIX_JWT_SECRET: 'a-secret-for-the-bench-0123456789',
    SVIX_WHITELIST_SUBNETS: '["127.0.0.0/8"]',
  };
  const server = await startProcess({
    name: 'svix',
    command: binary,
    args: ['--run-migrations'],
    env,
    logFile: join(directory, 'svix.log'),
    port,
    isReady: () =>
      fetch(`${api}/health/`).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
  const stop = async () => {
    await server.stop();
    await redis.stop();
    await postgres.process.stop();
    await rm(directory, { recursive: true, force: true });
  };

  const told = await promisify(execFile)(binary, ['jwt', 'generate'], { env: { ...process.env, ...env } });
  const headers = { authorization: `Bearer ${told.stdout.match(/Token \(Bearer\): (\S+)/)?.[1]}` };
  const post = (path: string, body: object, agent?: Agent) =>
    httpCall(api, 'POST', path, { headers, body, ...(agent && { agent }) });
  const application = (await post('/app/', { name: 'bench' })).body.id;
  const endpoint = await post(`/app/${application}/endpoint/`, { url: endpointUrl });
  if (endpoint.status !== 201) throw new Error(`Svix answered ${endpoint.status}: ${endpoint.text}`);

  const call: Source['call'] = async (agent) => {
    const { id, type, time, workspace_id, subject, data } = eventOf(newId());
    const payload = { id, type, created_at: time, workspace_id, data };
    const { status } = await post(`/app/${application}/msg/`, { eventType: type, payload }, agent);
    return status === 202 ? subject.id : null;
  };
  return {
    call,
    async publish(agent) {
      if ((await call(agent)) === null) throw new Error('Svix refused a message');
    },
    stop,
  };
}
