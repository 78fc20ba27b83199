import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { testFolder } from '@waymark/testing';
import type { Terminal } from '../apps/cli/src/terminal/terminal.ts';
import { runWith } from '../apps/cli/test/run.ts';
import { joinProduct } from './support/join-product.ts';
import type { Workspace } from './support/records.ts';

/** `waymark apply` and `waymark pull` as the key of a service account runs them. */
const product = joinProduct();
const folder = testFolder();
const file = join(folder, 'workspace.yaml');
const secretsFile = join(folder, 'secrets.jsonl');
let owner: Workspace;
let env: Terminal['env'];
async function begin(): Promise<void> {
  owner = await product.workspace();
  env = { WAYMARK_URL: product.url, WAYMARK_API_KEY: await keyOf('admin') };
  rmSync(secretsFile, { force: true });
}

const asOwner = (method: string, path: string, body?: object) =>
  product.call(method, `${path}${path.includes('?') ? '&' : '?'}workspaceId=${owner.workspaceId}`, {
    cookie: owner.cookie,
    ...(body && { body }),
  });
const list = async (path: string) => (await asOwner('GET', path)).body.data;

/** Creates a service account with a key. */
async function keyOf(role: string): Promise<string> {
  const account = await asOwner('POST', '/service-accounts', { name: `CI as ${role}`, role });
  const key = { name: 'CI', scopes: ['read', 'write'], serviceAccountId: account.body.id };
  return (await asOwner('POST', '/api-keys', key)).body.key;
}

function apply(text: string, args: string[] = [], more: Partial<Terminal> = {}) {
  writeFileSync(file, text);
  return runWith({ env, ...more }, 'apply', '-f', file, ...args);
}
const withSecrets = ['--secrets', secretsFile];
const secrets = () =>
  readFileSync(secretsFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const TWO_WEBHOOKS = `webhooks:
  - url: https://hooks.example.com/one
    events: [decision.created, decision.updated]
  - url: https://hooks.example.com/two
    description: Not yet
    events: [decision.deleted]
    maxPerSecond: 5
    enabled: false
`;

/** Applies two new webhooks through a proxy that calls `onChange` before it forwards a change. */
async function applyBehindProxy(onChange: (request: IncomingMessage) => void, more: Partial<Terminal> = {}) {
  const type = { 'content-type': 'application/json' };
  const proxy = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = method === 'GET' ? {} : { body: Buffer.concat(await Array.fromAsync(request)) };
    if (method !== 'GET') onChange(request);
    if (request.socket.destroyed) return;
    const authorization = String(headers.authorization);
    const init = { method: method!, headers: { authorization, ...type }, ...body };
    const answer = await fetch(`${product.url}${url}`, init);
    response.writeHead(answer.status, type).end(await answer.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const behind = { ...env, WAYMARK_URL: `http://127.0.0.1:${port}` };
  const applied = await apply(TWO_WEBHOOKS, withSecrets, { env: behind, ...more });
  proxy.close();
  return applied;
}

describe('waymark apply', () => {
  beforeEach(begin);

  it('makes a workspace as in the file, and then finds nothing to change', async () => {
    const text = `${TWO_WEBHOOKS}members:
  - email: Mira@Example.com
    role: admin
  - email: ${owner.email}
    role: owner
serviceAccounts:
  - name: CI as admin
    role: admin
  - name: Reports
    role: viewer
`;
    const planned = await apply(text, ['--dry-run']);
    expect(planned).toMatchObject({ code: 8, errors: [] });
    expect(planned.out).toEqual(
      expect.arrayContaining([
        '+ webhook https://hooks.example.com/one',
        '    events: decision.created, decision.updated',
        '+ member mira@example.com',
        '    role: admin',
        '+ service account Reports',
      ]),
    );
    expect(await list('/webhooks')).toEqual([]);
    const applied = await apply(text, withSecrets);
    expect(applied).toMatchObject({ code: 0, errors: [] });
    expect(applied.out.slice(0, planned.out.length)).toEqual(planned.out);
    expect(applied.out.slice(planned.out.length)).toEqual([
      'created webhook https://hooks.example.com/one',
      'created webhook https://hooks.example.com/two',
      'created member mira@example.com',
      'created service account Reports',
      '4 changes made',
    ]);
    expect(await list('/webhooks')).toEqual([
      expect.objectContaining({
        url: 'https://hooks.example.com/two',
        description: 'Not yet',
        max_per_second: 5,
        enabled: false,
      }),
      expect.objectContaining({
        url: 'https://hooks.example.com/one',
        description: '',
        max_per_second: null,
        events: ['decision.created', 'decision.updated'],
        enabled: true,
      }),
    ]);
    expect(await list('/invitations')).toMatchObject([{ email: 'mira@example.com', role: 'admin' }]);
    expect(await list('/service-accounts')).toMatchObject([{ name: 'Reports' }, { name: 'CI as admin' }]);
    expect(await apply(text)).toMatchObject({ code: 0, out: ['nothing to change'], errors: [] });
    expect(await apply(text, ['--dry-run', '--prune'])).toMatchObject({ code: 0 });
  });

  it('asks a person before it removes something, and removes nothing without a yes', async () => {
    await apply(TWO_WEBHOOKS, withSecrets);
    const answers = (text: string) => ({ input: Object.assign(Readable.from([text]), { isTTY: true }) });
    const refused = await apply('webhooks: []', ['--prune'], answers('n\n'));
    expect([refused.code, refused.errors]).toEqual([130, ['Remove 2 of them? [y/N]', expect.any(String)]]);
    expect(await list('/webhooks')).toHaveLength(2);
    expect(await apply('webhooks: []', ['--prune'], answers('y\n'))).toMatchObject({ code: 0 });
    expect(await list('/webhooks')).toEqual([]);
  });

  it('stores secrets in a file that only its owner can read, or shows them on a terminal', async () => {
    const refused = await apply(TWO_WEBHOOKS);
    expect(refused).toMatchObject({ code: 2, errors: [expect.stringContaining('--secrets <file>')] });
    expect(await list('/webhooks')).toEqual([]);
    writeFileSync(secretsFile, '{"kept":true}\n', { mode: 0o644 });
    const stored = await apply(TWO_WEBHOOKS, withSecrets);
    const [one, two] = (await list('/webhooks')).toReversed();
    expect(secrets()).toEqual([
      { kept: true },
      { record: `webhook ${one.url}`, id: one.id, secret: expect.stringMatching(/^whsec_/) },
      { record: `webhook ${two.url}`, id: two.id, secret: expect.stringMatching(/^whsec_/) },
    ]);
    expect(statSync(secretsFile).mode & 0o777).toBe(0o600);
    expect(stored.text).not.toContain('whsec_');
    const invited = await apply('members:\n- {email: new@example.com, role: viewer}', [], { columns: 80 });
    expect(invited.text).toMatch(/^ {4}link, shown only now: http\S+$/m);
  });

  it('changes only what differs, keeps what the file lacks, and removes it with --prune', async () => {
    await apply(TWO_WEBHOOKS, withSecrets);
    const { userId, ...user } = await product.signUp();
    const memberId = await product.addMember(owner, user as never, 'viewer');
    const changed = `webhooks:
  - url: HTTPS://hooks.example.com:443/one
    events: [decision.updated]
members:
  - email: ${user.email.toUpperCase()}
    role: member
`;
    const applied = await apply(changed);
    expect(applied).toMatchObject({ code: 0, errors: [] });
    expect(applied.out).toEqual([
      '~ webhook HTTPS://hooks.example.com:443/one',
      '    events: decision.created, decision.updated → decision.updated',
      `~ member ${user.email}`,
      '    role: viewer → member',
      '= webhook https://hooks.example.com/two: not in the file; --prune removes it',
      `= member ${owner.email}: not in the file; --prune removes it`,
      'changed webhook HTTPS://hooks.example.com:443/one',
      `changed member ${user.email}`,
      '2 changes made',
    ]);
    expect(await list('/members')).toContainEqual(expect.objectContaining({ id: memberId, role: 'member' }));
    // A section that the file lacks stays as it is.
    expect(await apply('webhooks: []', ['--prune'])).toMatchObject({ code: 0 });
    expect(await list('/webhooks')).toEqual([]);
    const withoutMember = `members:\n- {email: ${owner.email}, role: owner}`;
    const removed = await apply(withoutMember, ['--prune']);
    expect(removed.out).toContain('    the API keys that the member created are revoked');
    expect(await list('/members')).toMatchObject([{ email: owner.email }]);
  });

  it('replaces and revokes invitations', async () => {
    const invite = (role: string) => `members:\n- {email: new@example.com, role: ${role}}`;
    await apply(invite('admin'), withSecrets);
    await asOwner('POST', '/invitations', { role: 'viewer' });
    const replaced = await apply(invite('viewer'), withSecrets);
    expect(replaced.out).toContain('    role: admin → viewer');
    const byAddress = async () =>
      (await list('/invitations')).filter(({ email }: { email: string | null }) => email !== null);
    expect(await byAddress()).toMatchObject([{ email: 'new@example.com', role: 'viewer' }]);
    await asOwner('POST', '/members', { email: 'new@example.com', role: 'admin' });
    expect((await apply(invite('viewer'))).text).toContain('the invitation with the other role is revoked');
    expect(await byAddress()).toMatchObject([{ role: 'viewer' }]);
    const nobody = `members:\n- {email: ${owner.email}, role: owner}`;
    expect((await apply(nobody, ['--prune'])).text).toContain('the invitation is revoked');
    expect(await byAddress()).toEqual([]);
    // The one for anyone with the link names nobody, and stays.
    expect(await list('/invitations')).toHaveLength(1);
  });

  it.each([
    [
      'makes an owner',
      () => `members:\n- {email: new@example.com, role: owner}\n- {email: ${owner.email}, role: owner}`,
      /:2: .*only an owner/,
    ],
    ['demotes an owner', () => `members:\n- {email: ${owner.email}, role: admin}`, /:2: .*only an owner/],
    ['lacks an owner', () => 'members: []', /: member \S+ is not in the file: only an owner/],
    ['lacks who applies it', () => 'serviceAccounts: []', /CI as admin is not in the file: .*itself/],
    [
      'demotes who applies it',
      () => 'serviceAccounts:\n- {name: CI as admin, role: viewer}',
      /:2: .*cannot change itself/,
    ],
    [
      'is of another workspace',
      () => 'workspaceId: 0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60\nwebhooks: []',
      /:1: workspaceId: .*use another profile/,
    ],
  ])('refuses a file that %s, and changes nothing', async (_, text, line) => {
    const lists = () => Promise.all(['/webhooks', '/members', '/invitations', '/service-accounts'].map(list));
    const before = await lists();
    const refused = await apply(`${text()}\n`, ['--prune', ...withSecrets]);
    expect(refused).toMatchObject({ code: 2, out: [], errors: [expect.stringMatching(line)] });
    expect(await lists()).toEqual(before);
  });

  it('refuses to choose between records of one key', async () => {
    const webhook = { url: 'https://hooks.example.com/', events: ['decision.created'] };
    for (const url of ['https://hooks.example.com/', 'https://hooks.example.com'])
      await asOwner('POST', '/webhooks', { ...webhook, url });
    const text = 'webhooks:\n- {url: https://hooks.example.com/, events: [decision.updated]}';
    expect(await apply(text)).toMatchObject({
      code: 2,
      out: [],
      errors: [expect.stringMatching(/:2: .*there are 2 .*waymark webhooks delete/)],
    });
    expect(await runWith({ env }, 'pull')).toMatchObject({ code: 5, out: [] });
  });

  it('stops at the first failure, says what was made, and goes on when it is repeated', async () => {
    const text = (url: string) => `webhooks:
  - {url: https://hooks.example.com/one, events: [decision.created]}
  - {url: "${url}", events: [decision.created]}
  - {url: https://hooks.example.com/three, events: [decision.created]}
`;
    const failed = await apply(text('https://10.0.0.1/'), withSecrets);
    expect(failed).toMatchObject({
      code: 2,
      errors: [
        expect.stringMatching(
          /^webhook https:\/\/10\.0\.0\.1\/: .*public address.*; 1 of 3 changes were made: repeat the command/,
        ),
      ],
    });
    expect(failed.out.at(-1)).toBe('created webhook https://hooks.example.com/one');
    expect(secrets()).toHaveLength(1);
    const repeated = await apply(text('https://hooks.example.com/two'), withSecrets);
    expect(repeated.out.at(-1)).toBe('2 changes made');
    expect(await list('/webhooks')).toHaveLength(3);
  });

  it('says of a broken connection that the change may have been made', async () => {
    const broken = await applyBehindProxy(({ socket }) => void socket.destroy());
    expect(broken.code).toBe(7);
    expect(broken.errors).toEqual([
      expect.stringMatching(
        /^webhook \S+one: .* broke the connection .*; it may have been made, and its secret is lost then; 0 of 2 /,
      ),
    ]);
  });

  it('ends with Ctrl-C after the change in progress, whose secret it stores', async () => {
    const interrupted = new AbortController();
    const stopped = await applyBehindProxy(() => interrupted.abort(), {
      interruption: () => interrupted.signal,
    });
    expect(stopped).toMatchObject({
      code: 130,
      errors: ['interrupted; 1 of 2 changes were made: repeat the command to go on'],
    });
    expect(secrets()).toMatchObject([{ id: (await list('/webhooks'))[0].id }]);
    expect((await apply(TWO_WEBHOOKS, withSecrets)).out.at(-1)).toBe('1 change made');
  });

  it('says which key it needs', async () => {
    for (const key of [owner.key, await keyOf('member')]) {
      const refused = await apply(TWO_WEBHOOKS, [], { env: { ...env, WAYMARK_API_KEY: key } });
      expect(refused).toMatchObject({
        code: 3,
        out: [],
        errors: [expect.stringMatching(/service account|role/)],
      });
    }
  });
});

describe('waymark pull', () => {
  beforeEach(begin);

  it('writes a file with which apply changes nothing', async () => {
    await apply(TWO_WEBHOOKS, withSecrets);
    const description = 'red \u001b[31m, title \u009d0;x\u0007, \u202eback: "quoted"\n# two lines';
    const odd = { url: 'https://hooks.example.com/odd', description, events: ['decision.created'] };
    await asOwner('POST', '/webhooks', odd);
    await asOwner('POST', '/members', { email: 'invited@example.com', role: 'viewer' });
    const pulled = await runWith({ env }, 'pull');
    expect(pulled).toMatchObject({ code: 0, errors: [] });
    expect(pulled.text).not.toMatch(/[^\P{C}\n\t]/u);
    expect(pulled.text).toContain(`workspaceId: ${owner.workspaceId}\nwebhooks:\n  - url: https://hooks.`);
    expect(pulled.text).toContain('# Invited, and not a member yet\n  - email: invited@example.com\n');
    expect(pulled.text).not.toContain('whsec_');
    for (const text of [pulled.text, JSON.stringify({ webhooks: [odd] })]) {
      expect(await apply(text, ['--dry-run'])).toMatchObject({ code: 0, errors: [] });
    }
    const output = join(folder, 'pulled.yaml');
    expect(await runWith({ env }, 'pull', '-o', output)).toMatchObject({ code: 0, out: [] });
    expect(readFileSync(output, 'utf8')).toBe(`${pulled.text}\n`);
    async function* input() {
      yield Buffer.from(pulled.text);
    }
    expect(await runWith({ env, input: input() }, 'apply', '-f', '-', '--prune')).toMatchObject({
      code: 0,
      out: ['nothing to change'],
    });
  });
});
