import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@waymark/testing';
import { root } from './render-chart.ts';
import { run } from './run.ts';

/** Programs that a page may call and that a test must not run: a stand-in notes the call. */
const PROGRAMS = ['kubectl', 'helm', 'docker', 'waymark', 'npm', 'cosign', 'age-keygen', 'sleep', 'tar'];
/** Reads what is piped to it, and prints something for what follows. */
const STAND_IN = `#!/bin/sh
node -e 'fs.appendFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)) + "\\n")' "$CALLS" "$(basename "$0")" "$@"
cat > /dev/null
echo printed
`;

/** A call of a program: its name and its arguments. */
export type Call = readonly [program: string, ...args: string[]];

/** Runs a block beside a copy of the folder deploy, and returns what it called. Throws if it fails. */
export async function paste(block: string): Promise<Call[]> {
  const folder = testFolder();
  const calls = join(folder, 'calls');
  cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
  writeFileSync(calls, '');
  for (const program of PROGRAMS) writeFileSync(join(folder, program), STAND_IN, { mode: 0o755 });
  const script = `cd "$1" && PATH="$1:$PATH" CALLS="$1/calls"; export PATH CALLS\nset -euo pipefail\nexec < /dev/null\n${block}`;
  const { code, output } = await run('bash', ['-c', script, 'bash', folder]);
  if (code !== 0) throw new Error(`${block}\nended with ${code}: ${output}`);
  const lines = readFileSync(calls, 'utf8').trim().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Call);
}
