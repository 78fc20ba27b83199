/**
 * npm run release -- [--rehearse] [--out folder] [--publish registry]: builds the release of this commit's
 * tag (docs/releasing.md). A rehearsal needs no tag. --publish builds the images too, and uploads all.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findRepositoryRoot } from '@waymark/local-stack';
import { runCommand } from '../../libs/local-stack/src/process/run-command.ts';
import { acquireHelm } from '../../tests/deploy/support/tools.ts';
import { buildRelease, images } from './build-release.ts';
import { assertNewestEntry } from './changelog.ts';

const { values } = parseArgs({
  options: {
    rehearse: { type: 'boolean', default: false },
    out: { type: 'string' },
    publish: { type: 'string' },
  },
});

const checkout = findRepositoryRoot();
const say = (line: string) => process.stderr.write(`${line}\n`);
/** Runs a command in the checkout. */
const run = (command: string, args: string[], env: Record<string, string> = {}) =>
  runCommand(command, args, env, checkout);
const git = async (...args: string[]) => (await run('git', args)).trim();

/** Throws unless the commit has the tag of its version, and the changelog begins with its dated entry. */
async function assertReleasable(version: string): Promise<void> {
  if (await git('status', '--porcelain')) throw new Error('the checkout has changes that are not committed');
  const tags = (await git('tag', '--points-at', 'HEAD')).split('\n');
  if (!tags.includes(`v${version}`)) throw new Error(`the commit has no tag v${version}`);
  assertNewestEntry(await readFile(join(checkout, 'CHANGELOG.md'), 'utf8'), version);
}

/** Signs the sums, and thereby all files, with the key in COSIGN_KEY. */
async function sign(out: string): Promise<void> {
  const key = process.env['COSIGN_KEY'];
  if (!key) {
    say('not signed: COSIGN_KEY names no key');
    return;
  }
  const files = ['--output-signature', join(out, 'SHA256SUMS.sig'), join(out, 'SHA256SUMS')];
  await run('cosign', ['sign-blob', '--yes', '--tlog-upload=false', '--key', key, ...files]);
}

/** Builds, uploads and signs the images of the commit. */
async function publishImages(registry: string, version: string, time: Date): Promise<void> {
  const bake = ['buildx', 'bake', '--file', 'deploy/docker/docker-bake.hcl', '--push', 'release'];
  const env = {
    REGISTRY: registry,
    VERSION: version,
    REVISION: await git('rev-parse', 'HEAD'),
    CREATED: time.toISOString(),
    SOURCE_DATE_EPOCH: String(time.getTime() / 1_000),
  };
  await run('docker', bake, env);
  const key = process.env['COSIGN_KEY'];
  if (!key) return;
  for (const folder of images) {
    const image = `${registry}/${basename(folder)}:${version}`;
    await run('cosign', ['sign', '--yes', '--tlog-upload=false', '--key', key, image]);
  }
}

const { version } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'));
if (!values.rehearse) await assertReleasable(version);
const out = resolve(values.out ?? `.waymark/release-${version}`);
const time = new Date(Number(await git('log', '-1', '--format=%ct')) * 1_000);
const helm = await acquireHelm(say);
const root = await mkdtemp(join(tmpdir(), 'waymark-release-'));
try {
  // A clone leaves out files of the checkout that are not committed.
  await run('git', ['clone', '--quiet', '--no-hardlinks', checkout, root]);
  say('installing the locked packages');
  await runCommand('npm', ['ci', '--ignore-scripts'], {}, root);
  say('building');
  await rm(out, { recursive: true, force: true });
  const { archives, chart } = await buildRelease({ root, out, helm, time });
  await sign(out);
  if (values.publish) {
    await publishImages(values.publish, version, time);
    await run(helm, ['push', join(out, chart), `oci://${values.publish}/charts`]);
    for (const archive of archives) await run('npm', ['publish', '--access', 'public', join(out, archive)]);
  }
  say(`${out}:\n${(await readdir(out)).map((name) => `  ${name}`).join('\n')}`);
} finally {
  await rm(root, { recursive: true });
}
