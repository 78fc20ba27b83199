import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceName, services } from '@waymark/contracts';
import { findRepositoryRoot, freePort, startProcess, startStores } from '@waymark/local-stack';
import { readSecrets, secretsFor } from '../../dev/secrets.ts';
import { chooseServicePorts } from '../../dev/services.ts';
import { readStages } from '../../dev/stand-ins/docker/read-dockerfile.ts';
import { memoryOf } from '../support/memory.ts';
import { machine, printHead, printRow } from '../support/table.ts';

/**
 * `npm run bench:images [seconds] [service|all ...]`: the size of each image's folder, and its memory after
 * `seconds` at rest, with empty stores. `all` is `waymark all` in the image cli. Needs a built console.
 */
const [seconds = '60', ...asked] = process.argv.slice(2);
const images = asked.length > 0 ? asked : ['audit', 'decisions', 'gateway', 'all'];
const root = findRepositoryRoot();
const work = mkdtempSync(join(tmpdir(), 'waymark-bench-images-'));
const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
const { cmd, env: imageEnv } = readStages(dockerfile).at(-1)!;

function assemble(name: string): string {
  const folder = join(work, name);
  const { status } = spawnSync(process.execPath, ['deploy/docker/assemble.mjs', name, folder], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`assemble.mjs ${name} ended with ${status}`);
  return folder;
}

async function environment(image: string, adminPort: number) {
  const secrets = await readSecrets(work);
  const own = image === 'all' ? secrets : secretsFor(image as ServiceName, secrets);
  return {
    ...imageEnv,
    PATH: process.env['PATH'],
    ...own,
    ...(await chooseServicePorts()).env,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    ADMIN_PORT: String(adminPort),
    MIGRATE_ON_START: 'true',
    DRAIN_DELAY_MS: '0',
  };
}

const sizeOf = (folder: string) => Number(spawnSync('du', ['-sm', folder]).stdout.toString().split('\t')[0]);

const stores = await startStores({ dataDir: join(work, 'data'), cacheGb: 0.25, log: () => undefined });
try {
  console.log(`\n${machine()}; Node ${process.version}; ${cmd.join(' ')}\n`);
  printHead(['image', 'MB above the base', 'RSS MiB', 'PSS MiB']);
  for (const image of images) {
    if (image !== 'all' && !(image in services)) throw new Error(`no image runs ${image}`);
    const folder = assemble(image === 'all' ? 'cli' : image);
    const adminPort = await freePort();
    const running = await startProcess({
      name: image,
      command: process.execPath,
      args: [...cmd.slice(1), ...(image === 'all' ? ['all'] : [])],
      cwd: folder,
      readyUrl: `http://127.0.0.1:${adminPort}/readyz`,
      env: {
        ...(await environment(image, adminPort)),
        MONGODB_URL: stores.mongoUrl,
        REDIS_URL: stores.redisUrl,
        NATS_URL: stores.natsUrl,
      },
    });
    // The first start creates the databases.
    await running.stop();
    await running.restart();
    await delay(Number(seconds) * 1_000);
    const { rss, pss } = memoryOf(running.pid);
    printRow([image, sizeOf(folder), rss.toFixed(0), pss.toFixed(0)]);
    await running.stop();
  }
} finally {
  await stores.stop();
  rmSync(work, { recursive: true, force: true });
}
