import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { BASE_PATH, services } from '@waymark/contracts';
import { findRepositoryRoot, keepRunning, reservePort, startStores } from '@waymark/local-stack';
import { makeFolder } from '@waymark/service-kit/make-folder';
import { buildPages } from './build-pages.ts';
import { type Demo, ensureDemo } from './demo/demo-workspace.ts';
import { startMailPage } from './mail-page.ts';
import { natsUsers } from './nats-users.ts';
import { announceRunning, productDirectory } from './running.ts';
import { readSecrets } from './secrets.ts';
import { STOP_LIMIT_MS, startInOneProcess } from './services.ts';

const ANOTHER_PORT = 'choose another: PORT=8090 npm start';

/** Keeps the product small; it is the least that MongoDB accepts. */
const MONGODB_CACHE_GB = 0.25;

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
const log = (line: string) => console.log(`  ${seconds().padStart(5)} s  ${line}`);

/** Prints one line instead of a stack trace: the cause is on the user's machine, not in our code. */
function giveUp(error: unknown): never {
  console.error(`\nWaymark did not start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}

/** Check ::1 as well: on many machines, "localhost" resolves to it first. */
async function assertPortIsFree(port: number): Promise<void> {
  for (const address of ['127.0.0.1', '::1']) {
    const refusal = await new Promise<string | undefined>((resolve) => {
      const probe = createServer();
      probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      probe.listen(port, address, () => probe.close(() => resolve(undefined)));
    });
    if (refusal === 'EACCES') throw new Error(`port ${port} is for root alone; ${ANOTHER_PORT}`);
    if (refusal === 'EADDRINUSE') throw new Error(`port ${port} of ${address} is taken; ${ANOTHER_PORT}`);
    if (refusal !== undefined && address === '127.0.0.1') throw new Error(`port ${port}: ${refusal}`);
  }
}

async function main(): Promise<void> {
  const root = findRepositoryRoot();
  const directory = productDirectory(process.env);
  const port = Number(process.env['PORT'] ?? services.gateway.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT is ${process.env['PORT']}, not a port`);
  await assertPortIsFree(port);
  reservePort(port);
  await makeFolder(join(directory, 'logs'));
  console.log('Starting Waymark');
  const consoleBuild = buildPages({ root, log });
  // Reported below, where started processes can be stopped.
  consoleBuild.catch(() => {});
  const stops: (() => Promise<void>)[] = [];
  let stopping = false;
  const stopAll = async () => {
    if (stopping) return;
    stopping = true;
    console.log('\nStopping: requests in flight finish, data stays in .waymark/');
    for (const stop of stops.toReversed()) await stop();
    process.exit(0);
  };
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll());
  const users = natsUsers();
  const stores = await startStores({
    dataDir: join(directory, 'data'),
    cacheGb: MONGODB_CACHE_GB,
    natsSettings: users.settings,
    log,
  });
  const supervised = [stores.mongo, stores.redis, stores.nats].filter((store) => store !== undefined);
  const releases = supervised.map((store) => keepRunning(store, log));
  stops.push(async () => {
    for (const release of releases) release();
    await stores.stop();
  });
  try {
    // Mail leaves the machine only by a mail server of the user's own.
    const mail = process.env['SMTP_URL'] ? undefined : await startMailPage();
    if (mail) stops.push(mail.stop);
    const secrets = await readSecrets(directory);
    await consoleBuild;
    const { running, env } = await startInOneProcess({
      root,
      port,
      stores,
      secrets,
      logDirectory: join(directory, 'logs'),
      log,
      // The same console under its other name.
      env: {
        CORS_ORIGINS: process.env['CORS_ORIGINS'] ?? `http://127.0.0.1:${port}`,
        ...mail?.env,
        ...(stores.nats && users.environment(stores.natsUrl)),
      },
    });
    log('the services are ready');
    const release = keepRunning(running, log);
    stops.push(async () => {
      release();
      await running.stop(STOP_LIMIT_MS);
    });
    const withdraw = await announceRunning(directory, env);
    stops.push(async () => withdraw());
    // A given URL may contain a password.
    const started = [
      stores.mongo && stores.mongoUrl,
      stores.redis && stores.redisUrl,
      stores.nats && stores.natsUrl,
    ];
    const shown = (name: string) => relative(process.cwd(), join(directory, name));
    const url = `http://localhost:${port}`;
    log('making the demo workspace');
    const demo = await ensureDemo({ directory, baseUrl: `${url}${BASE_PATH}` }).catch(
      (error: Error) => error,
    );
    console.log(`
Waymark is ready after ${seconds()} s.

  Console     ${url}
  API         ${url}${BASE_PATH}
  Docs        ${url}/docs
  Mail        ${mail ? `${mail.url} shows what is sent` : 'through SMTP_URL'}
  Logs        ${shown('logs')}/
  Stores      ${started.map((store) => store ?? 'as given').join('  ')}
  Commands    npm run waymark -- --help
${demo instanceof Error ? demoMissing(demo) : demoText(demo, shown('demo.json'))}
Ctrl-C stops everything and keeps the data.`);
  } catch (error) {
    for (const stop of stops.toReversed()) await stop();
    giveUp(error);
  }
}

const demoText = (
  demo: Demo,
  file: string,
) => `  Demo        workspace ${demo.workspace_id}, all of it in ${file}
  Sign-in     ${demo.email}  ${demo.password}
  API key     ${demo.api_key}

Try it:
  curl -H 'Authorization: Bearer ${demo.api_key}' '${demo.base_url}/decisions?workspaceId=${demo.workspace_id}'
`;

const demoMissing = ({ message }: Error) => `
The demo workspace could not be made: ${message}
The next start tries again. Sign up in the console for a workspace of your own.
`;

main().catch(giveUp);
