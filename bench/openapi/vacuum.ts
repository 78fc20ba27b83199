import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireGo, findRepositoryRoot, offlineGo } from '@waymark/local-stack';
import { apiDocument } from '../../dev/sdks/description.ts';

/**
 * `npm run bench:openapi`: prints the points, of 100, that vacuum gives openapi.json by ruleset.yaml, and
 * what it finds. Builds vacuum from its Go module, for about five minutes of processor the first time: its
 * npm package is a download from GitHub.
 */
const go = await acquireGo(console.error);
const folder = join(findRepositoryRoot(), '.waymark', 'vacuum');
mkdirSync(folder, { recursive: true });
const [program, description] = [join(folder, 'score'), join(folder, 'openapi.json')];
writeFileSync(description, JSON.stringify(apiDocument(), null, 2));
const { GOPROXY: _, ...env } = offlineGo();
const options = { cwd: import.meta.dirname, env: { ...process.env, ...env } };
execFileSync(go, ['build', '-o', program, '.'], options);
process.stdout.write(execFileSync(program, [description, 'ruleset.yaml'], options));
