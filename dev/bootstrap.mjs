/**
 * node dev/bootstrap.mjs <task> [arguments]: the entry point of `npm start`, of the tests and of the tools.
 * Plain JavaScript that runs on Node 20 or newer without installed packages. It installs missing or outdated
 * packages, then continues under the pinned Node among them. The task `tools` runs a shell command with the
 * packages of tools/, which only linters and releases need.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneAtATime } from './one-at-a-time.mjs';

const LEAST_NODE = 20;
const PINNED_NODE = 24;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const tools = join(root, 'tools');
const installingFile = join(root, '.waymark', 'installing');
const tasks = {
  // This process waits nearly always: by default V8 would keep some 30 MB of garbage from the start.
  start: ['--max-semi-space-size=1', 'dev/start.ts'],
  test: ['dev/test/run.ts'],
  'test-all': ['dev/test/all.ts'],
  'test-unstable': ['dev/test/unstable.ts'],
};

const say = (line) => process.stderr.write(`${line}\n`);

function giveUp(line) {
  say(line);
  process.exit(1);
}

const majorOf = (version) => Number(version.replace(/^v/, '').split('.')[0]);

/** The packages of a folder with a lock file of its own. */
function packagesOf(folder) {
  const modules = join(folder, 'node_modules');
  const lockFile = join(folder, 'package-lock.json');
  const stampFile = join(modules, '.waymark-lock');

  /** What the installed packages must match; a second start compares only this. */
  const wantedStamp = () => {
    const digest = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
    return `${digest} ${process.platform}-${process.arch}`;
  };

  /** Whether node_modules matches the lock file, for example after a manual `npm install`. */
  function matchesLock() {
    const noted = join(modules, '.package-lock.json');
    if (!existsSync(noted)) return false;
    const installed = JSON.parse(readFileSync(noted, 'utf8')).packages;
    const wanted = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages).filter(
      ([path]) => path,
    );
    return wanted.every(([path, entry]) => {
      if (entry.link || !path.includes('node_modules/')) return !entry.link || existsSync(join(folder, path));
      return installed[path] ? installed[path].version === entry.version : entry.optional === true;
    });
  }

  function areCurrent() {
    const wanted = wantedStamp();
    if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return true;
    if (!matchesLock()) return false;
    writeFileSync(stampFile, wanted);
    return true;
  }

  async function install() {
    const startedAt = Date.now();
    const seconds = () => Math.round((Date.now() - startedAt) / 1_000);
    say(`Installing packages${folder === root ? '' : ' of tools/'} (the first time only)`);
    const ticking = setInterval(() => say(`  still installing, ${seconds()} s`), 15_000);
    let result = await npm(['ci'], folder);
    // `npm ci` refuses a lock file that lacks packages of this platform or is outdated; `npm install`
    // without saving accepts it.
    if (result.code !== 0 && result.output.includes('EUSAGE'))
      result = await npm(['install', '--no-save'], folder);
    clearInterval(ticking);
    if (result.code !== 0) {
      throw new Error(`${result.output}\nnpm could not install the packages. Does it reach its registry?`);
    }
    writeFileSync(stampFile, wantedStamp());
    say(`Installed packages in ${seconds()} s`);
  }

  return {
    /** Runs one installation at a time; a second start waits for the first. */
    async ensure() {
      if (areCurrent()) return;
      const installIfStill = async () => areCurrent() || install();
      await oneAtATime(installingFile, installIfStill, () =>
        say(`Another start is installing the packages, says ${installingFile}; waiting for it`),
      );
    },
  };
}

/** Errors only: under an old Node, npm warns about every package that needs the pinned one. */
function npm(command, folder) {
  const options = ['--include=dev', '--loglevel=error', '--no-audit', '--no-fund'];
  const script = process.env.npm_execpath ?? '';
  if (basename(script) !== 'npm-cli.js') return run('npm', [...command, ...options], folder);
  return run(process.execPath, [script, ...command, ...options], folder);
}

function run(command, args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Returns the pinned Node, which npm installs like any package where one is published for the platform. */
function findNode() {
  const pinned = join(modules, '.bin', 'node');
  if (existsSync(pinned) && spawnSync(pinned, ['--version']).status === 0) return pinned;
  if (majorOf(process.versions.node) >= PINNED_NODE) return process.execPath;
  return giveUp(
    `Waymark needs Node ${PINNED_NODE} or newer here, and this is ${process.version}: see https://nodejs.org`,
  );
}

/** Runs a command in this terminal, forwards signals, and exits with its status. */
function goOn(command, args) {
  const PATH = [join(tools, 'node_modules', '.bin'), join(modules, '.bin'), process.env.PATH ?? ''];
  const child = spawn(command, args, {
    cwd: root,
    // Later starts neither strip types nor compile: they take less time, processor and memory.
    env: {
      NODE_COMPILE_CACHE: join(root, '.waymark', 'compile-cache'),
      ...process.env,
      PATH: PATH.join(delimiter),
    },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => giveUp(`${command} did not run: ${error.message}`));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

const [task, ...args] = process.argv.slice(2);
if (majorOf(process.versions.node) < LEAST_NODE) {
  giveUp(`Waymark needs Node ${LEAST_NODE} or newer, and this is ${process.version}: see https://nodejs.org`);
}
const names = [...Object.keys(tasks), 'tools'];
if (!names.includes(task)) giveUp(`usage: node dev/bootstrap.mjs <${names.join('|')}> [arguments]`);
await packagesOf(root)
  .ensure()
  .then(() => (task === 'tools' ? packagesOf(tools).ensure() : undefined))
  .catch((error) => giveUp(error.message));
if (task === 'tools') goOn('sh', ['-c', args.join(' ')]);
else
  goOn(findNode(), [
    '--conditions=x-source',
    '--disable-warning=ExperimentalWarning',
    ...tasks[task],
    ...args,
  ]);
