import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@waymark/contracts';
import { findRepositoryRoot, freePort } from '@waymark/local-stack';
import { eventually, testFolder } from '@waymark/testing';
import { ensureDemo } from '../../dev/demo/demo-workspace.ts';
import { joinProduct } from '../support/join-product.ts';

/** The port of the README's receiver. */
const RECEIVER_PORT = '4000';

const root = findRepositoryRoot();
const product = joinProduct();
const stops: (() => void)[] = [];
const folder = testFolder();
mkdirSync(join(folder, '.waymark'));
symlinkSync(join(root, 'docs'), join(folder, 'docs'));
await ensureDemo({ directory: join(folder, '.waymark'), baseUrl: product.url + BASE_PATH });
afterAll(() => {
  for (const stop of stops) stop();
});

/** Returns the commands of a chapter. */
function commandsOf(chapter: string): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, text = ''] = readme.split(`\n## ${chapter}\n`);
  return /```sh\n(.*?)```/s.exec(text)![1]!;
}

/** Runs commands in a shell. The suite ends the processes that they start. */
function paste(commands: string, env: Record<string, string> = {}) {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const shell = spawn('bash', ['-c', commands], {
    cwd: folder,
    env: { ...process.env, PATH, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stops.push(() => {
    try {
      process.kill(-shell.pid!, 'SIGKILL');
    } catch {
      // All of its processes have already exited.
    }
  });
  const output = { text: '' };
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (chunk) => {
      output.text += chunk;
    });
  }
  const exited = new Promise<number | null>((resolve) => shell.once('exit', resolve));
  return { output, exited };
}

describe('the README', () => {
  it('shows the caller, a scored decision, its outcome, and the audit log', async () => {
    const { output, exited } = paste(commandsOf('Try it'));
    expect(await exited).toBe(0);
    const answers = await eventually(() => {
      const lines = output.text.trim().split('\n');
      expect(lines).toHaveLength(5);
      return lines.map((line) => JSON.parse(line));
    });
    const [whoami, decision, quality, outcome, log] = answers;
    expect(whoami.scopes).toEqual(['read', 'write']);
    expect(decision).toMatchObject({ title: 'Adopt Waymark for our decisions', tags: ['process'] });
    expect(quality).toMatchObject({ score: decision.quality_score });
    expect(outcome).toMatchObject({ id: decision.id, outcome: 'success' });
    expect(log.data).toHaveLength(3);
  });

  it('signs in, logs a decision and finds it by the command line', async () => {
    const program = `node --conditions=x-source ${join(root, 'apps/cli/src/main.ts')}`;
    const commands = commandsOf('Command line').replace('npm run --silent waymark --', program);
    const { output, exited } = paste(commands, { XDG_CONFIG_HOME: folder });
    expect(await exited).toBe(0);
    const lines = output.text.trim().split('\n');
    expect(lines[0]).toMatch(/^signed in to .* as profile default/);
    expect(lines).toContain('title: Use the command line');
    expect(lines.some((line) => line.includes('\tUse the command line\t'))).toBe(true);
    const { decisions } = JSON.parse(lines.at(-1)!);
    expect(decisions).toMatchObject([{ title: 'Use the command line' }]);
  });

  it('shows a verified webhook', async () => {
    const port = String(await freePort());
    const commands = commandsOf('Receive a webhook').replaceAll(RECEIVER_PORT, port);
    const { output, exited } = paste(commands, { PORT: port });
    expect(await exited).toBe(0);
    await eventually(() => expect(output.text).toContain('Tell others at once'));
  });
});
