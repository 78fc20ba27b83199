import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { acquireGo, freePort, offlineGo } from '@waymark/local-stack';
import { eventually, sampleDecision, testFolder } from '@waymark/testing';
import { startWebhookStack } from '../../services/webhooks/test/webhook-stack.ts';

const folder = fileURLToPath(new URL('../../docs/receivers', import.meta.url));
const vectors = fileURLToPath(new URL('../../libs/client/vectors/webhooks.json', import.meta.url));
/** Go compiles its standard library from source: this makes it quick, without debug information. */
const NOT_OPTIMIZED = '-gcflags=all=-N -l -dwarf=false';

const stack = await startWebhookStack({ seams: { now: Date.now } });
const buildFolder = testFolder();
afterAll(() => stack.stop());

interface Example {
  command: string[];
  cwd: string;
}

/** Sends webhooks, and forged requests, to a receiver that was started as its README describes. */
async function deliversTo({ command, cwd }: Example): Promise<void> {
  const workspace = stack.workspace();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const webhook = await workspace.createWebhook(url);
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: webhook.secret };
  const [program = '', ...args] = command;
  const receiver = spawn(program, args, { cwd, env });
  const output = collect(receiver);
  try {
    await eventually(() => expect(output()).toContain('Waiting for webhooks'));
    const { body: ping } = await workspace.call('POST', `/webhooks/${webhook.id}/test`);
    const delivered = await workspace.delivery(ping.id, 'delivered');
    expect(delivered.attempts).toMatchObject([{ status: 204 }]);
    await workspace.publish({
      time: new Date().toISOString(),
      data: sampleDecision({ workspace_id: workspace.id, title: 'Größe 中文 🚀' }),
    });
    await workspace.stats(webhook.id, { delivered: 2 });
    await eventually(() => expect(output()).toMatch(/ping[\s\S]*decision\.created[\s\S]*Größe 中文/));

    const { request } = delivered.attempts[0]!;
    const other = newId();
    const captured = request!.headers.map(({ name, value }): [string, string] => [
      name,
      value === ping.id ? other : value,
    ]);
    const resend = async (headers: [string, string][]) =>
      (await fetch(url, { method: 'POST', body: JSON.stringify(delivered.payload), headers })).status;
    expect(await resend(captured)).toBe(401);
    expect(await resend(captured.filter(([name]) => !name.startsWith('webhook-')))).toBe(204);

    await workspace.call('POST', `/deliveries/${ping.id}/replay`);
    await eventually(async () =>
      expect(await workspace.delivery(ping.id, 'delivered')).toMatchObject({ series: 2 }),
    );
    expect(output().match(/ping/g)).toHaveLength(1);

    const forged = {
      method: 'POST',
      body: JSON.stringify(delivered.payload),
      headers: { 'content-type': 'application/json' },
    };
    expect((await fetch(url, forged)).status).toBe(401);
    const signed = {
      'x-waymark-timestamp': String(Math.floor(Date.now() / 1000)),
      'x-waymark-signature': 'sha256=00',
    };
    expect((await fetch(url, { ...forged, headers: { ...forged.headers, ...signed } })).status).toBe(401);
  } finally {
    receiver.kill('SIGKILL');
  }
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

describe('the receiver in TypeScript', () => {
  it('accepts what the service sends and nothing else', async () => {
    const command = [process.execPath, '--conditions=x-source', 'typescript/receiver.ts'];
    await deliversTo({ command, cwd: folder });
  });
});

describe('the receiver in Python', () => {
  beforeAll(() => {
    try {
      execFileSync('python3', ['--version']);
    } catch {
      throw new Error('Python 3.9 or newer is missing: install it, so that python3 runs');
    }
  });

  it('agrees with the test vectors', () => {
    const cwd = join(folder, 'python');
    expect(execFileSync('python3', ['-B', 'check_vectors.py', vectors], { cwd }).toString()).toContain(
      'vectors hold',
    );
  });

  it('accepts what the service sends and nothing else', async () => {
    await deliversTo({ command: ['python3', '-B', 'python/receiver.py'], cwd: folder });
  });
});

describe('the receiver in Go', () => {
  const cwd = join(folder, 'go');
  let go: string;
  const runGo = (...args: string[]) => {
    return execFileSync(go, args, { cwd, env: { ...process.env, ...offlineGo() } }).toString();
  };
  beforeAll(async () => {
    go = await acquireGo(console.error);
  });

  it('agrees with the test vectors', () => {
    expect(runGo('test', NOT_OPTIMIZED, '-vet=off', '-count=1', './...')).toContain('ok');
  });

  it('accepts what the service sends and nothing else', async () => {
    const binary = join(buildFolder, 'receiver');
    runGo('build', NOT_OPTIMIZED, '-o', binary, '.');
    await deliversTo({ command: [binary], cwd });
  });
});
