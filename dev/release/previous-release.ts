import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { runCommand } from '../../libs/local-stack/src/process/run-command.ts';

/**
 * Unpacks the release that installations upgrade from into `directory`, with its locked packages. The file
 * previous-release beside this one names its tag or commit. Returns null where a shallow clone lacks it.
 */
export async function unpackPreviousRelease(directory: string): Promise<string | null> {
  const checkout = findRepositoryRoot();
  const root = join(directory, 'previous');
  const archive = join(directory, 'previous.tar');
  const release = (await readFile(new URL('previous-release', import.meta.url), 'utf8')).trim();
  const isHere = await runCommand('git', ['cat-file', '-e', `${release}^{commit}`], {}, checkout).then(
    () => true,
    () => false,
  );
  if (!isHere) return null;
  await mkdir(root, { recursive: true });
  await runCommand('git', ['archive', '--output', archive, release], {}, checkout);
  await runCommand('tar', ['--extract', '--file', archive, '--directory', root]);
  await rm(archive);
  await runCommand(
    'npm',
    ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {},
    root,
  );
  return root;
}
