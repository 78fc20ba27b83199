/**
 * npm run test:images [-- <service> ...]: runs the Dockerfile's COPY and RUN lines as commands in an empty
 * folder, for a machine without a container engine. It then checks what is in the result, starts it (as
 * process 1 if we are root), calls it, and stops it. Default: every service. Node must have the version of
 * the base image.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waymark/local-stack';
import { httpCall, serviceEnvironment, testEnvironment } from '@waymark/testing';
import { neededPackages } from '../../../deploy/docker/needed-packages.mjs';
import { readStages } from './read-dockerfile.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 20_000;

const stages = readStages(readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'waymark-images-'));

/** Maps a stage's absolute path to a path on this machine. */
const inStage = (stage, path) => join(work, stage, path);

/** Files that git tracks or would add; .dockerignore excludes the rest from a build. */
function context(path) {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '--', path], { cwd: root });
  return listed.stdout
    .toString()
    .split('\n')
    .filter((file) => file && existsSync(join(root, file)));
}

function copy(stage, workdir, { from, sources, target }) {
  for (const source of sources) {
    if (from) {
      cpSync(inStage(from, source), inStage(stage, join(workdir, target)), {
        recursive: true,
        verbatimSymlinks: true,
      });
      continue;
    }
    for (const file of context(source)) {
      // The target of a single file is a folder only with a slash at its end.
      const below = file.slice(source.length) || (target.endsWith('/') ? basename(file) : '');
      const path = inStage(stage, join(workdir, target, below));
      mkdirSync(dirname(path), { recursive: true });
      cpSync(join(root, file), path);
    }
  }
}

function run(stage, workdir, command, env) {
  const here = command.replaceAll(/(?<=\s)(?=\/\w)/g, inStage(stage, ''));
  const { status } = spawnSync('sh', ['-euc', here], {
    cwd: inStage(stage, workdir),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`RUN ${command} in stage ${stage} ended with ${status}`);
}

/** Runs a stage's steps in order. A stage based on another one starts with its files. */
function build(stage, env) {
  rmSync(inStage(stage.name, ''), { recursive: true, force: true });
  mkdirSync(inStage(stage.name, ''), { recursive: true });
  const base = stages.find(({ name }) => name === stage.from);
  // Links, because copies of all packages take a minute for each image.
  if (base) spawnSync('cp', ['-al', `${inStage(base.name, '')}/.`, inStage(stage.name, '')]);
  let workdir = base?.workdir ?? '/';
  for (const step of stage.steps) {
    if (step.workdir) workdir = step.workdir;
    mkdirSync(inStage(stage.name, workdir), { recursive: true });
    if (step.copy) copy(stage.name, workdir, step.copy);
    if (step.run) run(stage.name, workdir, step.run, env);
  }
}

/** Runs a command as process 1, which signals without a handler do not reach, as in a container. */
function asProcessOne(command) {
  const can = process.getuid?.() === 0 && spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;
  return can ? ['unshare', '--pid', '--fork', '--kill-child', ...command] : command;
}

/** Packages of tests and tools must not be in an image: each adds to its size and its advisories. */
function checkContents(service) {
  const { workdir } = stages.find(({ name }) => name === 'service');
  const app = inStage('service', workdir);
  const { names, folders } = neededPackages(root, service === 'cli' ? 'apps/cli' : `services/${service}`);
  // The docs, which browsers load it from, are in the image of the gateway.
  names.add('minisearch');
  const files = readdirSync(app, { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  const packages = files
    .map((file) => /node_modules\/((?:@[^/]+\/)?[^@/]+)$/.exec(file)?.[1])
    .filter(Boolean);
  const sources = files
    .filter((file) => file.endsWith('.map'))
    .flatMap((file) => JSON.parse(readFileSync(join(app, file), 'utf8')).sources);
  // Replacements of packages (bundle.mjs) are in that folder.
  const ours = new Set([...folders, 'deploy/docker']);
  const foreign = [
    ...new Set([...packages, ...Object.keys(dependencies)].filter((name) => !names.has(name))),
    ...sources.filter((source) => !ours.has(source.split('/').slice(0, 2).join('/'))),
  ];
  if (foreign.length > 0) throw new Error(`the image of ${service} has ${foreign.join(', ')}`);
  const licences = readFileSync(join(app, 'LICENSES.txt'), 'utf8');
  const unnamed = Object.keys(dependencies).filter(
    (name) => !licences.includes(`${name} ${dependencies[name]}`),
  );
  if (unnamed.length > 0)
    throw new Error(`the image of ${service} lacks the licences of ${unnamed.join(', ')}`);
  const bytes = files.reduce((sum, file) => sum + statSync(join(app, file)).size, 0);
  console.log(
    `${service.padEnd(10)} ${(bytes / 1e6).toFixed(1)} MB, ${Object.keys(dependencies).length} packages`,
  );
}

async function tryOut(service) {
  const { workdir, env: ownEnv, cmd, healthcheck } = stages.find(({ name }) => name === 'service');
  const app = inStage('service', workdir);
  const [port, adminPort] = [await freePort(), await freePort()];
  const env = {
    ...ownEnv,
    PATH: process.env.PATH,
    ...serviceEnvironment(testEnvironment(), service),
    LOG_LEVEL: 'info',
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
  };
  const [command, ...args] = asProcessOne([process.execPath, ...cmd.slice(1)]);
  const running = spawn(command, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  running.stdout.on('data', (text) => (output += text));
  running.stderr.on('data', (text) => (errors += text));
  const exited = new Promise((ended) => running.once('exit', (code, signal) => ended(signal ?? code)));
  try {
    const isHealthy = () => spawnSync(process.execPath, healthcheck.slice(1), { cwd: app, env }).status === 0;
    const deadline = Date.now() + START_LIMIT_MS;
    while (!isHealthy()) {
      if (running.exitCode !== null || Date.now() > deadline) throw new Error('did not become healthy');
      await delay(100);
    }
    const response = await fetch(`http://127.0.0.1:${port}/v1/whoami`);
    if (![401, 404, 503].includes(response.status)) throw new Error(`answered ${response.status}`);
    if (service === 'gateway') await tryConsole(`http://127.0.0.1:${port}`);
    // unshare does not forward signals; its child is process 1 of the new namespace.
    const target = command === 'unshare' ? childOf(running.pid) : running.pid;
    const stoppedAt = Date.now();
    process.kill(target, 'SIGTERM');
    const end = await Promise.race([exited, delay(STOP_LIMIT_MS, 'nothing after 20 s')]);
    if (end !== 0) throw new Error(`ended with ${end} on SIGTERM`);
    if (errors) throw new Error('has errors that are not in its log');
    console.log(
      `${service.padEnd(10)} healthy, answered ${response.status}, drained in ${Date.now() - stoppedAt} ms${command === 'unshare' ? ' as process 1' : ''}`,
    );
  } catch (error) {
    throw new Error(`${service} ${error.message}; it said:\n${output}${errors}`, { cause: error });
  } finally {
    running.kill('SIGKILL');
  }
}

/** Not fetch, whose Sec-Fetch-Mode header differs from a browser's navigation. */
const get = (base, path) => httpCall(base, 'GET', path, { headers: { accept: 'text/html' } });

/** Loads the page and every script and stylesheet in it, as a browser does. */
async function tryConsole(base) {
  const page = await get(base, '/');
  const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path);
  if (page.status !== 200 || files.length === 0)
    throw new Error(`has no console: ${page.status} ${page.text}`);
  for (const path of files) {
    const { status } = await get(base, path);
    if (status !== 200) throw new Error(`answered ${status} for ${path} of the console`);
  }
  console.log(`console    its page and ${files.length} files of it`);
  for (const path of [
    '/docs/quickstart',
    '/docs/reference',
    '/docs/search.json',
    '/docs/docs.js',
    '/docs/minisearch.js',
  ]) {
    const { status } = await get(base, path);
    if (status !== 200) throw new Error(`answered ${status} for ${path}`);
  }
}

/** Runs one command without stores, and one that must refuse without them. */
function tryCommands() {
  const { workdir } = stages.find(({ name }) => name === 'service');
  const folders = [inStage('service', join(workdir, 'bin')), dirname(process.execPath), process.env.PATH];
  const give = (args, env) =>
    spawnSync('waymark', args, {
      env: { PATH: folders.join(':'), NODE_ENV: 'production', ...env },
      encoding: 'utf8',
    });
  const nowhere = {
    MONGODB_URL: 'mongodb://127.0.0.1:9',
    AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9',
    ...{ AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
  };
  const expected = [
    [['--help'], 0, /migrate/],
    [['secrets', 'add', 'AUDIT_SIGNING_KEYS'], 1, /AUDIT_SIGNING_KEYS is missing/],
    [['audit', 'verify', '/nowhere', '--public-key', 'none'], 1, /./],
    [['search', 'rebuild'], 1, /MONGODB_URL/],
    [['admin', 'create-owner', 'a@example.com', '--name', 'A'], 1, /IDENTITY_PRIVATE_KEYS/],
    [['migrate'], 1, /MONGODB_URL/],
    [['all'], 1, /IDENTITY_PRIVATE_KEYS/],
    [['restore', 's3://bucket/x'], 1, /^s3:\/\/bucket\/x: .*ECONNREFUSED/, nowhere],
  ];
  for (const [args, code, shape, env] of expected) {
    const { status, stdout, stderr } = give(args, env);
    if (status !== code || !shape.test(stdout + stderr))
      throw new Error(`cli ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  }
  console.log(`cli        ${expected.length} commands say what they should`);
}

const childOf = (pid) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);

const asked = process.argv.slice(2);
const services = asked.length > 0 ? asked : [...readdirSync(join(root, 'services')), 'cli'];
try {
  const [first, ...perService] = stages;
  const startedAt = Date.now();
  build(first, {});
  console.log(`installed and built in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
  for (const service of services) {
    for (const stage of perService) build(stage, { SERVICE: service });
    checkContents(service);
    if (service === 'cli') tryCommands();
    else await tryOut(service);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
