import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { mintApiKey } from '@waymark/contracts';
import { eventually, testFolder } from '@waymark/testing';
import type { Terminal } from '../apps/cli/src/terminal/terminal.ts';
import { runWith } from '../apps/cli/test/run.ts';
import { joinProduct } from './support/join-product.ts';

/** `waymark` as users run it, in this process. cli.long.ts starts it as a process. */
const folder = testFolder();
const product = joinProduct();
const owner = await product.workspace();

const credentials = () => ({ WAYMARK_URL: product.url, WAYMARK_API_KEY: owner.key });

async function run(args: string[], more: Partial<Terminal> = {}) {
  const env = { XDG_CONFIG_HOME: folder, ...credentials(), ...more.env };
  const ran = await runWith({ ...more, env }, ...args);
  return { ...ran, text: [...ran.out, ...ran.errors].join('\n') };
}

const json = async (...args: string[]) => JSON.parse((await run([...args, '--json'])).out.join('\n'));

/** What every failure looks like: one line, no stack trace, no key. */
function expectOneLine({ out, errors, text }: { out: string[]; errors: string[]; text: string }) {
  expect(out).toEqual([]);
  expect(errors).toHaveLength(1);
  expect(text).not.toMatch(/\n|\bat .*\.[jt]s:\d/);
  expect(text).not.toContain(owner.key);
}

describe('a command for each operation', () => {
  it('takes arguments and flags, and prints a record', async () => {
    const created = await run([
      ...['decisions', 'create', '--title', 'Adopt the command line', '--tags', 'tools', '--tags', 'process'],
      ...['--outcome-confidence', '0.8', '--expected-by', '2027-01-31'],
    ]);
    expect(created).toMatchObject({ code: 0, errors: [] });
    expect(created.out).toEqual(
      expect.arrayContaining(['title: Adopt the command line', 'tags: tools, process']),
    );
    const id = created.out.find((line) => line.startsWith('id: '))!.slice(4);
    expect(await json('decisions', 'get', id)).toMatchObject({
      title: 'Adopt the command line',
      tags: ['tools', 'process'],
      outcome_confidence: 0.8,
    });
    const cleared = await json('decisions', 'update', id, '--expected-by', 'null');
    expect(cleared.expected_by).toBeNull();
    expect(await run(['decisions', 'delete', id])).toMatchObject({ code: 0, text: '' });
    expect(await run(['decisions', 'get', id])).toMatchObject({ code: 4 });
  });

  it('takes a body from its flag, a file and standard input, and flags before it', async () => {
    const file = join(folder, 'body.json');
    writeFileSync(file, '{"title": "From a file", "status": "accepted"}');
    expect(await json('decisions', 'create', '--body', `@${file}`, '--title', 'From a flag')).toMatchObject({
      title: 'From a flag',
      status: 'accepted',
    });
    async function* input() {
      yield '{"title": "From standard input"}';
    }
    const piped = await run(['decisions', 'create', '--body', '-', '--json'], { input: input() });
    expect(JSON.parse(piped.out[0]!)).toMatchObject({ title: 'From standard input' });
    for (const [body, why] of [
      ['@/missing', 'cannot be read'],
      ['{', 'not JSON'],
      ['[]', 'not a JSON object'],
    ] as const) {
      const refused = await run(['decisions', 'create', '--body', body]);
      expect(refused).toMatchObject({ code: 2, text: expect.stringContaining(why) });
      expectOneLine(refused);
    }
  });

  it('prints every result of a batch, and fails as its failed operations do', async () => {
    const batch = (operations: object[]) =>
      run(['batch', '--operations', JSON.stringify(operations), '--json']);
    const create = { operation: 'createDecision', body: { title: 'In a batch' } };
    const missing = { operation: 'deleteDecision', id: '0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60' };
    const stale = { operation: 'updateDecision', if_match: '"9"', body: { title: 'Stale' } };
    expect(await batch([create])).toMatchObject({ code: 0, errors: [] });
    const some = await batch([create, missing, missing]);
    expect(some).toMatchObject({
      code: 4,
      errors: [expect.stringContaining('2 of 3 operations failed; operation 2: The')],
    });
    const { results } = JSON.parse(some.out.join(''));
    expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 404, 404]);
    const { id } = results[0].body;
    expect(await batch([missing, { ...stale, id }])).toMatchObject({ code: 1 });
  });

  it('shows the operation, the id and the error of each result of a batch on a terminal', async () => {
    const missing = { operation: 'deleteDecision', id: '0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60' };
    const operations = [{ operation: 'createDecision', body: { title: 'In a batch' } }, missing];
    const { out } = await run(['batch', '--operations', JSON.stringify(operations)], { columns: 160 });
    expect(out).toEqual([
      expect.stringMatching(/^NUMBER +OPERATION +STATUS +ID +MESSAGE$/),
      expect.stringMatching(/^1 +createDecision +201 +[\da-f-]{36} +-$/),
      expect.stringMatching(/^2 +deleteDecision +404 +- +\S+ \S+/),
    ]);
  });

  it('reads all pages, and repeats a change with its key once', async () => {
    const { workspaceId, key } = await product.workspace();
    const env = { WAYMARK_API_KEY: key, WAYMARK_WORKSPACE: workspaceId };
    const create = (number: number) =>
      run(['decisions', 'create', '--title', `Decision ${number}`, '--idempotency-key', `k${number}`], {
        env,
      });
    for (const number of [1, 2, 3, 3]) expect((await create(number)).code).toBe(0);
    const paged = await run(['decisions', 'list', '--limit', '2'], { env });
    expect(paged).toMatchObject({ errors: ['there are more: add --all'] });
    const all = await run(['decisions', 'list', '--limit', '2', '--all', '--json'], { env });
    const { decisions, next_cursor: next } = JSON.parse(all.out[0]!);
    expect([decisions.length, next]).toEqual([3, null]);
    expect(decisions.map(({ title }: { title: string }) => title)).toEqual([
      'Decision 3',
      'Decision 2',
      'Decision 1',
    ]);
  });

  it('shows tables that fit the terminal', async () => {
    const { key } = await product.workspace();
    const env = { WAYMARK_API_KEY: key };
    await run(['decisions', 'create', '--title', `Wide 決定 ${'x'.repeat(200)}`], { env });
    const { out } = await run(['decisions', 'list'], { env, columns: 80 });
    expect(out[0]).toMatch(/^ID +TITLE/);
    expect(out[1]).toMatch(/^\S{36} {2}Wide 決定 x+…/);
    for (const line of out) expect(line.length).toBeLessThanOrEqual(80);
    const piped = await run(['decisions', 'list'], { env });
    expect(piped.out).toEqual([
      ['id', 'title', 'status', 'outcome', 'created_at'].join('\t'),
      expect.stringMatching(/^\S{36}\tWide 決定 x{200}\tproposed\tpending\t\S+Z$/),
    ]);
  });

  it('prints only ids for scripts', async () => {
    const env = { WAYMARK_API_KEY: (await product.workspace()).key };
    const create = (title: string) =>
      run(['decisions', 'create', '--title', title, '--output', 'id'], { env });
    const created = [await create('One'), await create('Two')].map(({ text }) => text);
    for (const id of created) expect(id).toMatch(/^\S{36}$/);
    const listed = await run(['decisions', 'list', '--all', '--output', 'id'], { env });
    expect(listed.out).toEqual(created.toReversed());
    const metrics = await run(['metrics', 'get', '--output', 'id'], { env });
    expect(metrics).toMatchObject({ code: 2, text: 'the answer has no ids' });
  });

  it('writes a file, and follows an import to its end', async () => {
    await run(['decisions', 'create', '--title', 'To be moved']);
    const file = join(folder, 'export.json');
    expect(await run(['export', 'workspace', '--output', file])).toMatchObject({ code: 0, text: '' });
    const target = await product.workspace();
    const asAdmin = { env: { WAYMARK_API_KEY: target.key } };
    const refused = await run(['imports', 'create', '--body', `@${file}`], asAdmin);
    expect(refused.code === 0 ? refused.out : refused.errors).not.toEqual([]);
    const imported = await run(['imports', 'create', '--body', `@${file}`, '--ids', 'remap'], asAdmin);
    expect(imported).toMatchObject({ code: 0, errors: [] });
    expect(imported.out).toContain('status: succeeded');
  });
});

describe('login, profiles and logout', () => {
  const own = mkdtempSync(join(folder, 'profiles-'));
  const env = { XDG_CONFIG_HOME: own, WAYMARK_URL: '', WAYMARK_API_KEY: '' };
  async function* typed(text: string) {
    yield text;
  }

  it('store a key, readable by its owner only, and use it', async () => {
    const other = await product.workspace();
    const login = (key: string, ...args: string[]) =>
      run(['login', product.url, '--key', ...args], { env, input: typed(`${key}\n`) });
    expect(await login(owner.key)).toMatchObject({ code: 0, errors: [] });
    expect(await login(other.key, '--profile', 'other')).toMatchObject({ code: 0 });
    const file = join(own, 'waymark', 'profiles.json');
    expect([statSync(file).mode & 0o777, readdirSync(join(own, 'waymark'))]).toEqual([
      0o600,
      ['profiles.json'],
    ]);
    const listed = await run(['profiles'], { env });
    expect(listed.out).toEqual([
      expect.stringMatching(`^  default: ${product.url}/v1, workspace ${owner.workspaceId}`),
      expect.stringMatching(`^\\* other: ${product.url}/v1, workspace ${other.workspaceId}`),
    ]);
    expect(listed.text).not.toContain(owner.key);
    const workspaceOf = async (...args: string[]) =>
      JSON.parse((await run(['whoami', '--json', ...args], { env })).out[0]!).workspaceId;
    expect(await workspaceOf()).toBe(other.workspaceId);
    expect(await workspaceOf('--profile', 'default')).toBe(owner.workspaceId);
    expect(await run(['profiles', 'use', 'default'], { env })).toMatchObject({ code: 0 });
    expect(await workspaceOf()).toBe(owner.workspaceId);
    // A stored key is not sent to another server, and a key of the environment replaces the stored one.
    const elsewhere = await run(['whoami'], { env: { ...env, WAYMARK_URL: 'http://127.0.0.1:9' } });
    expect(elsewhere).toMatchObject({ code: 3, text: expect.stringContaining('WAYMARK_API_KEY') });
    const replaced = await run(['whoami', '--json'], { env: { ...env, WAYMARK_API_KEY: other.key } });
    expect(JSON.parse(replaced.out[0]!).workspaceId).toBe(other.workspaceId);
    expect(await run(['logout'], { env })).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).not.toContain(owner.key);
    expect(await workspaceOf()).toBe(other.workspaceId);
    expect(await run(['whoami', '--profile', 'default'], { env })).toMatchObject({ code: 3 });
  });

  it.each([
    ['a key that is not valid', () => mintApiKey(), 3, /revoked or expired; run waymark login/],
    ['half a key', () => owner.key.slice(0, 20), 2, /not an API key/],
    ['nothing', () => '', 2, /standard input is empty/],
  ])('refuse %s and store nothing', async (_, key, code, message) => {
    const before = readdirSync(own, { recursive: true });
    const refused = await run(['login', product.url, '--key'], { env, input: typed(key()) });
    expect(refused).toMatchObject({ code, text: expect.stringMatching(message) });
    expectOneLine(refused);
    expect(readdirSync(own, { recursive: true })).toEqual(before);
  });

  it('says on a plan without keys that the plan has none', async () => {
    const { workspaceId, cookie, key } = await product.workspace();
    await product.call('PUT', `/workspaces/${workspaceId}/plan`, { cookie, body: { plan: 'free' } });
    const refused = await eventually(async () => {
      const answer = await run(['login', product.url, '--key'], { env, input: typed(key) });
      expect(answer.code).toBe(3);
      return answer;
    });
    expect(refused.text).toMatch(/plan/);
    expectOneLine(refused);
  });
});

describe('a failure', () => {
  it('is one line with the key of another workspace, or one that is not valid', async () => {
    const other = await product.workspace();
    const { id } = await json('decisions', 'create', '--title', 'Not yours');
    const foreign = await run(
      ['decisions', 'update', id, '--title', 'Mine', '--workspace', owner.workspaceId],
      {
        env: { WAYMARK_API_KEY: other.key },
      },
    );
    expect(foreign).toMatchObject({ code: 3, text: expect.stringContaining('belongs to another workspace') });
    expectOneLine(foreign);
    const half = await run(['whoami'], { env: { WAYMARK_API_KEY: owner.key.slice(0, -1) } });
    expect(half).toMatchObject({ code: 3, text: expect.stringContaining('WAYMARK_API_KEY is not') });
    expectOneLine(half);
    const invalid = await run(['whoami'], { env: { WAYMARK_API_KEY: mintApiKey() } });
    expect(invalid).toMatchObject({ code: 3, text: expect.stringContaining('waymark login') });
    const settings = await run(['webhooks', 'list']);
    expectOneLine(settings);
    expect(settings).toMatchObject({ code: 3, text: expect.stringContaining('for an hour (request') });
    const personal = await run(['notifications', 'list']);
    expect(personal).toMatchObject({ code: 3, text: expect.stringContaining('sign in. (request') });
    expectOneLine(invalid);
  });

  it('names what is wrong in the command line, or in what it sends', async () => {
    for (const [args, why] of [
      [['decisions', 'create', '--outcome-confidence', 'high'], 'not a number'],
      [['decisions', 'create', '--title', ''], 'title'],
      [['decisions', 'list', '--limit', '0'], 'limit'],
    ] as const) {
      const refused = await run([...args]);
      expect(refused).toMatchObject({ code: 2, text: expect.stringContaining(why) });
      expectOneLine(refused);
    }
    expect((await run(['decisions', 'lst'])).code).toBe(2);
    for (const args of [
      ['decisions', 'create', '--title', 'x', '--idempotency-key', 'ключ'],
      ['export', 'workspace', '--output', '/missing/file'],
      ['imports', 'create', '--body', `@${folder}`],
    ]) {
      expectOneLine(await run(args));
    }
    const stale = await json('decisions', 'create', '--title', 'Versioned');
    const conflict = await run(['decisions', 'update', stale.id, '--title', 'x', '--if-match', '"0"']);
    expect(conflict).toMatchObject({ code: 5 });
    expectOneLine(conflict);
  });
});
