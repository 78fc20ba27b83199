import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { oneAtATime } from './one-at-a-time.mjs';

/** The apps that are files for browsers: what each is built from, and the command. */
const APPS = {
  console: {
    sources: [
      'apps/console/{src,public,build}/**/*.*',
      'apps/console/*.{html,json,ts}',
      'libs/client/src/*.ts',
      'package-lock.json',
    ],
    build: ['../../node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  },
  docs: {
    sources: [
      'apps/docs/{src,browser}/**/*.*',
      '{apps/cli,libs/client,libs/contracts,libs/service-kit}/{src/**/*.ts,package.json}',
      'services/transfer/src/madr{.ts,/*.ts}',
      'sdks/{go,python}/{,src/*/}*.{go,mod,py,toml,typed}',
      '{deploy/docker,dev/sdks,dev/release}/**/*.{mjs,ts}',
      'libs/client/src/*.cts',
      'docs/{mirrors,receivers}/**/*.{ts,py,go}',
      '{docs,deploy,apps/cli,libs/client,sdks}/**/*.md',
      '*.md',
      'package.json',
      'package-lock.json',
    ],
    build: ['--conditions=x-source', '--disable-warning=ExperimentalWarning', 'src/build.ts'],
  },
};

interface Options {
  root: string;
  log: (line: string) => void;
}

/** Builds the console and the documentation if their sources have changed. */
export async function buildPages(options: Options): Promise<void> {
  await Promise.all([build('console', options), build('docs', options)]);
}

/** One process builds; others wait for it. */
async function build(name: keyof typeof APPS, { root, log }: Options): Promise<void> {
  const app = join(root, 'apps', name);
  const stampFile = join(app, 'dist/.stamp');
  const wanted = fingerprint(root, APPS[name].sources);
  const isCurrent = () => read(stampFile) === wanted;
  if (isCurrent()) return;
  const run = async () => {
    if (isCurrent()) return;
    log(`building apps/${name}`);
    // A test runner's NODE_ENV would build React for development, at twice the size.
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, APPS[name].build, { cwd: app, env });
    writeFileSync(stampFile, wanted);
  };
  const lock = join(root, `.waymark/building-${name}`);
  await oneAtATime(lock, run, () => log(`another process is building apps/${name}, says ${lock}`));
}

function fingerprint(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: root, exclude: ['**/node_modules/**'] }).sort()) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
