import { spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { eventually, testFolder } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

/** `waymark` as a process, where pipes and signals matter. cli.test.ts has its commands. */
const folder = testFolder();
const main = join(findRepositoryRoot(), 'apps/cli/src/main.ts');
const product = joinProduct();
const owner = await product.workspace();

function start(args: string[], env: Record<string, string> = {}) {
  const own = { WAYMARK_URL: product.url, WAYMARK_API_KEY: owner.key, XDG_CONFIG_HOME: folder };
  const child = spawn(process.execPath, ['--conditions=x-source', '--no-warnings', main, ...args], {
    env: { PATH: process.env['PATH'], ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output, exited };
}

const create = async (title: string) =>
  (await product.call('POST', '/decisions', { key: owner.key, body: { title } })).body.id as string;

describe('the process waymark', () => {
  it('writes no control characters to its output', async () => {
    const title = 'red \u001b[31m, title \u009d0;x\u0007, \u202eback';
    const id = await create(title);
    for (const args of [
      ['decisions', 'list'],
      ['decisions', 'get', id],
      ['decisions', 'list', '--json'],
    ]) {
      const shown = start(args);
      expect(await shown.exited).toBe(0);
      expect(shown.output.stdout).toContain('red ');
      expect(shown.output.stdout).not.toMatch(/[^\P{C}\n\t]/u);
      if (args.includes('--json')) expect(JSON.parse(shown.output.stdout).decisions[0].title).toBe(title);
    }
  });

  it('opens the browser with an address that has neither a key nor the state', async () => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    const seen = join(bin, 'seen');
    writeFileSync(
      join(bin, 'xdg-open'),
      `#!/bin/sh\necho "$*" "$WAYMARK_API_KEY" > ${seen}.part; mv ${seen}.part ${seen}\n`,
    );
    chmodSync(join(bin, 'xdg-open'), 0o755);
    const login = start(['login', product.url], { PATH: `${bin}${delimiter}${process.env['PATH']}` });
    const address = await eventually(() => {
      expect(existsSync(seen)).toBe(true);
      return readFileSync(seen, 'utf8').trim();
    });
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/);
    const first = await fetch(address, { redirect: 'manual' });
    const location = new URL(first.headers.get('location')!);
    expect([location.origin, location.pathname]).toEqual([product.url, '/cli-login']);
    const spki = Buffer.from(location.searchParams.get('publicKey')!, 'base64url');
    const { asymmetricKeyDetails } = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(asymmetricKeyDetails!.modulusLength).toBeGreaterThanOrEqual(3072);
    const state = location.searchParams.get('state');
    await eventually(() => expect(login.output.stderr).toContain(state));
    // No second start, no other host's name, no wrong state, and no path that is no URL has a response.
    const { port } = new URL(address);
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(404);
    const byName = await fetch(`http://localhost:${port}/?state=${state}&key=x`).catch(() => null);
    expect([undefined, 404]).toContain(byName?.status);
    expect((await fetch(`http://127.0.0.1:${port}/?state=wrong&key=x`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}//`)).status).toBe(404);
    login.child.kill('SIGINT');
    expect(await login.exited).toBe(130);
    expect(login.output.stderr.trim().split('\n').at(-1)).toBe('interrupted: nothing was stored');
  });

  it('uses the proxy of its environment', async () => {
    const seen: string[] = [];
    const proxy = createServer((request, response) => {
      seen.push(request.url!);
      response.writeHead(502).end();
    });
    proxy.on('connect', (request, socket) => {
      seen.push(request.url!);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const HTTP_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    try {
      const asked = start(['whoami'], { HTTP_PROXY, WAYMARK_URL: 'http://waymark.invalid' });
      expect(await asked.exited).toBe(7);
      expect(seen).toEqual([expect.stringContaining('waymark.invalid')]);
      const own = start(['whoami'], { HTTP_PROXY, NO_PROXY: '127.0.0.1' });
      expect(await own.exited).toBe(0);
      expect(seen).toHaveLength(1);
    } finally {
      await new Promise((resolve) => proxy.close(resolve));
    }
    const refused = start(['whoami'], { HTTP_PROXY, WAYMARK_URL: 'http://waymark.invalid' });
    expect(await refused.exited).toBe(7);
    expect(refused.output.stderr).toContain(`the proxy ${new URL(HTTP_PROXY).host} does not respond`);
  });

  it('says that its standard input is closed', async () => {
    const closed = start(['decisions', 'create', '--body', '-']);
    expect(await closed.exited).toBe(2);
    expect(closed.output.stderr).toMatch(/^standard input is empty: .*\n$/);
  });

  it('ends with one line when its output is closed', async () => {
    for (let count = 0; count < 3; count += 1) await create('x'.repeat(300));
    const closing = start(['decisions', 'list', '--all', '--json']);
    closing.child.stdout.destroy();
    expect(await closing.exited).toBe(141);
    expect(closing.output.stderr).toMatch(/^the output ended early.*\n$/);
  });

  it('says what is known of its change when it is interrupted', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = createServer(() => arrived.resolve()).unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ['decisions', 'create', '--title', 'x', '--idempotency-key', 'mine'];
    const change = start(args, { WAYMARK_URL: url });
    await arrived.promise;
    change.child.kill('SIGINT');
    expect(await change.exited).toBe(130);
    const stderr =
      'interrupted; the change may have been made: repeat the command with --idempotency-key mine\n';
    expect(change.output).toEqual({ stdout: '', stderr });
    server.close();
  });
});
