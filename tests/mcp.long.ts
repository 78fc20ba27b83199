import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { mintApiKey } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import { eventually, testFolder } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';
import { callTool as call, mcpClients, namesOf, READS, WRITES } from './support/mcp-client.ts';

/** `waymark mcp` as a process, and the commands of docs/mcp.md. mcp.test.ts has the tools. */
const root = findRepositoryRoot();
const ARGS = ['--conditions=x-source', '--no-warnings', join(root, 'apps/cli/src/main.ts'), 'mcp'];
const PING = '{"jsonrpc":"2.0","id":7,"method":"ping"}\n';

const clients = mcpClients();
const product = joinProduct();
const owner = await product.workspace();
afterAll(() => clients.close());

const envOf = (key: string) => ({ WAYMARK_URL: product.url, WAYMARK_API_KEY: key });

const connectByProcess = (args: string[], env: Record<string, string>) =>
  clients.connect(
    new StdioClientTransport({ command: process.execPath, args: [...ARGS, ...args], env, stderr: 'pipe' }),
  );

/** Runs the program with a text on stdin. */
async function run(env: Record<string, string>, input: string) {
  const child = spawn(process.execPath, ARGS, { env });
  const text = { out: '', error: '' };
  child.stdout.on('data', (chunk) => (text.out += chunk));
  child.stderr.on('data', (chunk) => (text.error += chunk));
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { ...text, code };
}

describe('waymark mcp', () => {
  it('offers the tools that read, and with --writes all of them', async () => {
    const reading = await connectByProcess([], envOf(owner.key));
    expect(await namesOf(reading)).toEqual(READS.toSorted());
    expect(await call(reading, 'whoami')).toMatchObject({ workspaceId: owner.workspaceId });
    expect(await call(reading, 'log_decision', { title: 'x' })).toMatchObject({ reason: 'mcp_read_only' });
    const writing = await connectByProcess(['--writes'], envOf(owner.key));
    const { decision } = await call(writing, 'log_decision', { title: 'Over stdio' });
    await eventually(async () => {
      const { cookie, workspaceId } = owner;
      const query = { workspaceId, resourceId: decision.id };
      const { data } = (await product.call('GET', '/audit-log', { cookie, query })).body;
      expect(data).toMatchObject([{ via: 'mcp' }]);
    });
    const many = Array.from({ length: 10 }, () => call(writing, 'get_decision', { id: decision.id }));
    for (const one of await Promise.all(many)) expect(one.decision.title).toBe('Over stdio');
  });

  it('passes revision 2026-07-28 on, which has no handshake', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const env = envOf(owner.key);
    await client.connect(new ModernTransport({ command: process.execPath, args: ARGS, env, stderr: 'pipe' }));
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(READS.toSorted());
      expect(await client.callTool({ name: 'whoami' })).toMatchObject({
        structuredContent: { workspaceId: owner.workspaceId },
      });
      await expect(client.readResource({ uri: 'waymark://décision' })).rejects.toMatchObject({
        code: -32602,
      });
    } finally {
      await client.close();
    }
  });

  it('answers with one line when the key or the server is wrong, and shows no key', async () => {
    const key = mintApiKey();
    const unknown = await run(envOf(key), PING);
    const { error } = JSON.parse(unknown.out);
    expect(error.message).toMatch(/^UNAUTHORIZED: /);
    expect(unknown.error.trim().split('\n')).toEqual([error.message]);
    expect(unknown.out + unknown.error).not.toContain(key);
    const away = await run({ WAYMARK_URL: 'http://127.0.0.1:1', WAYMARK_API_KEY: key }, PING);
    expect(JSON.parse(away.out)).toMatchObject({
      id: 7,
      error: { message: expect.stringContaining('127.0.0.1:1') },
    });
    expect(away.error.trim().split('\n')).toHaveLength(1);
    expect(away.code).toBe(0);
  });

  it('says what is missing without a key, and ends with stdin', async () => {
    const none = await run({ WAYMARK_URL: product.url, HOME: '/nowhere' }, PING);
    expect(none.out).toBe('');
    expect(none).toMatchObject({ code: 3, error: expect.stringMatching(/^you are not signed in: .*\n$/) });
    expect(await run(envOf(owner.key), '')).toEqual({ out: '', error: '', code: 0 });
    const noise = await run(envOf(owner.key), `nonsense\n${PING}`);
    expect(JSON.parse(noise.out)).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    expect(noise.error).toContain('not an MCP message');
  });
});

describe('docs/mcp.md', () => {
  const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8');
  const blocks = (language: string) =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!);

  it('has configurations that connect', async () => {
    const [http, stdio] = blocks('json').map((text) => JSON.parse(text).mcpServers?.waymark);
    const headers = { Authorization: http.headers.Authorization.replace('wmk_…', owner.key) };
    const url = new URL(http.url);
    expect(url.origin).toBe('http://localhost:8080');
    const connected = await clients.connectTo(product.url, headers, url.search);
    expect(await namesOf(connected)).toContain('log_decision');
    expect(stdio.command).toBe('waymark');
    expect(Object.keys(stdio.env)).toEqual(['WAYMARK_URL', 'WAYMARK_API_KEY']);
    const [command, ...args] = stdio.args;
    expect(command).toBe('mcp');
    const started = await connectByProcess(args, { ...stdio.env, ...envOf(owner.key) });
    expect(await namesOf(started)).toContain('whoami');
  });

  it('has commands whose answers are like those below them', async () => {
    const folder = testFolder();
    mkdirSync(join(folder, '.waymark'));
    const { key } = await product.workspace();
    writeFileSync(join(folder, '.waymark/demo.json'), JSON.stringify({ api_key: key }));
    const commands = blocks('sh')[0]!.replaceAll('http://localhost:8080', product.url);
    const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', commands], { cwd: folder, env: { PATH } });
    const [list, ...answers] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).result);
    expect(list.tools).toHaveLength(READS.length + WRITES.length);
    const printed = blocks('json').slice(2);
    const fieldsOf = ({ structuredContent }: CallToolResult) => Object.keys(structuredContent!);
    expect(answers.map(fieldsOf)).toEqual(printed.map((text) => fieldsOf(JSON.parse(text))));
    expect(answers[1].structuredContent.decisions[0].title).toBe('Where do session tokens live?');
  });
});
