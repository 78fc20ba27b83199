import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { acquireGo, findRepositoryRoot, offlineGo } from '@waymark/local-stack';
import { apiDocument } from '../../dev/sdks/description.ts';
import { runCommand } from '../../libs/local-stack/src/process/run-command.ts';
import { NOT_OPTIMIZED } from './support/go-sdk.ts';

/** Vacuum’s npm package downloads its program from GitHub; the Go module proxy has its source. */
it('vacuum gives openapi.json at least 90 of 100 points, and finds no error', async () => {
  const go = await acquireGo(console.error);
  const folder = join(findRepositoryRoot(), '.waymark', 'vacuum');
  await mkdir(folder, { recursive: true });
  const [program, description] = [join(folder, 'score'), join(folder, 'openapi.json')];
  await writeFile(description, JSON.stringify(apiDocument(), null, 2));
  const { GOPROXY: _, ...env } = offlineGo();
  const sources = join(import.meta.dirname, 'vacuum');
  await runCommand(go, ['build', NOT_OPTIMIZED, '-o', program, '.'], env, sources);
  const output = await runCommand(program, [description, 'ruleset.yaml'], env, sources);
  const [score, ...findings] = output.trim().split('\n');
  const isFine = Number(score) >= 90 && !findings.some((finding) => finding.startsWith('error'));
  expect(isFine ? '' : output).toBe('');
});
