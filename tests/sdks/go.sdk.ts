import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makeWebhookSecret, newId, signedWebhookHeaders } from '@waymark/contracts';
import { freePort } from '@waymark/local-stack';
import { eventually, testFolder } from '@waymark/testing';
import { referenceSamples } from '../support/documented-code.ts';
import { joinProduct } from '../support/join-product.ts';
import { buildSnippet, checkGo, runGo, snippetsOfReadme, unformattedGo } from './support/go-sdk.ts';

const folder = testFolder();

/** A program with each sample as a function. */
function programOfSamples(samples: readonly string[]): string {
  const functions = samples.map((code) => {
    const variables = /^(?:(answer), )?(err) :=/m.exec(code)?.slice(1).filter(Boolean) ?? [];
    return `func _() {\n${code}${variables.map((name) => `_ = ${name}\n`).join('')}}\n`;
  });
  const imports = ['"context"', '"fmt"', '"log"', '"os"', 'waymark "github.com/waymark/waymark/sdks/go"'];
  return `package main
import (
${imports.join('\n')}
)
var ctx = context.Background()
var client *waymark.Client
func main() {}
${functions.join('')}`;
}

describe('the Go SDK', () => {
  it('is formatted, and go vet and its tests find nothing', async () => {
    expect(await unformattedGo()).toBe('');
    await checkGo('vet');
    expect(await checkGo('test')).toMatch(/^ok/m);
  });

  it('needs no other module', async () => {
    expect((await runGo('list', '-m', 'all')).trim().split('\n')).toHaveLength(1);
  });
});

describe('the documentation of the Go SDK', () => {
  const [calls = '', receiver = ''] = snippetsOfReadme();
  const product = joinProduct();

  it('logs, changes and lists decisions, and explains an error', async () => {
    const { key } = await product.workspace();
    const env = { WAYMARK_URL: product.url, WAYMARK_API_KEY: key };
    const { output, exited } = start(await buildSnippet(calls, join(folder, 'calls')), env);
    expect(await exited).toBe(0);
    expect(output().split('\n')).toEqual([
      'logged: Adopt the SDK',
      'found: Adopt the SDK accepted',
      `explained at ${product.url}/docs/errors/NOT_FOUND`,
      '',
    ]);
  });

  it('has samples that compile, in the reference', async () => {
    const samples = referenceSamples('Go');
    expect(samples.length).toBeGreaterThan(100);
    await buildSnippet(programOfSamples(samples), join(folder, 'samples'));
  });

  it('receives signed webhooks and no others', async () => {
    const [secret, port] = [makeWebhookSecret(), String(await freePort())];
    const binary = await buildSnippet(receiver, join(folder, 'receiver'));
    const { child, output, exited } = start(binary, { WEBHOOK_SECRET: secret, PORT: port });
    const body = Buffer.from(
      JSON.stringify({ id: newId(), type: 'ping', created_at: '2026-01-01T00:00:00.000Z', data: { a: 1 } }),
    );
    const send = (secrets: string[]) =>
      fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        body,
        headers: signedWebhookHeaders({ id: newId(), event_type: 'ping' }, body, {
          prefix: 'X-Waymark-',
          atMs: Date.now(),
          secrets,
        }),
      });
    try {
      await eventually(async () => expect((await send([secret])).status).toBe(204));
      expect((await send([makeWebhookSecret()])).status).toBe(401);
      await eventually(() => expect(output()).toBe('ping {"a":1}\n'));
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
  });
});

function start(binary: string, env: Record<string, string>) {
  const child: ChildProcess = spawn(binary, { env: { ...process.env, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => text, exited };
}
