import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findRepositoryRoot, freePort } from '@waymark/local-stack';
import { memoryOf } from '../support/memory.ts';
import { processorMs } from '../support/processor-ms.ts';
import { machine, printHead, printRow } from '../support/table.ts';

/**
 * `npm run bench:rest [starts] [seconds]`: starts `npm start` several times with data in a temporary folder.
 * Prints the time to each start's "ready", and per process of the last one the memory and the processor time
 * at rest, while nobody calls it. The first start creates the stores' data.
 */
const starts = Number(process.argv[2] ?? 3);
const seconds = Number(process.argv[3] ?? 30);
const SETTLE_MS = 30_000;

/** Returns the process and all that it has started, directly or not. */
function familyOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(familyOf)];
}

/** The program, or the script that it runs. */
function nameOf(pid: number): string {
  const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const script = /\bnode$/.test(program) && args.find((arg) => /\.m?[jt]s$|\/npm$/.test(arg));
  return (script || program).split('/').slice(-3).join('/');
}

async function start(directory: string, port: number) {
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: findRepositoryRoot(),
    env: { ...process.env, PORT: String(port), WAYMARK_DIRECTORY: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Waymark is ready')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  return {
    pid: child.pid!,
    readySeconds: (performance.now() - startedAt) / 1_000,
    async stop() {
      // Like Ctrl-C, which reaches npm, its shell and what they run.
      process.kill(-child.pid!, 'SIGINT');
      await exited;
    },
  };
}

const directory = mkdtempSync(join(tmpdir(), 'waymark-rest-'));
const port = await freePort();
try {
  const times: string[] = [];
  for (let i = 1; i <= starts; i += 1) {
    const running = await start(directory, port);
    times.push(running.readySeconds.toFixed(2));
    try {
      if (i < starts) continue;
      await delay(SETTLE_MS);
      const family = familyOf(running.pid);
      const before = await Promise.all(family.map(processorMs));
      await delay(seconds * 1_000);
      const after = await Promise.all(family.map(processorMs));
      console.log(`\n${machine()}; ready ${times.join(', ')} s after each \`npm start\`\n`);
      printHead(['process', 'PSS MiB', 'RSS MiB', 'processor at rest %, with its children']);
      let all = 0;
      for (const [i, pid] of family.entries()) {
        const { pss, rss } = memoryOf(pid);
        const percent = (after[i]! - before[i]!) / (seconds * 10);
        all += pss;
        printRow([nameOf(pid), pss.toFixed(0), rss.toFixed(0), percent.toFixed(2)]);
      }
      printRow(['all', all.toFixed(0), '', '']);
    } finally {
      await running.stop();
    }
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
