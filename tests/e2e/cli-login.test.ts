import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { eventually, testFolder } from '@waymark/testing';
import { createProgram } from '../../apps/cli/src/program/program.ts';
import { runProgram } from '../../apps/cli/src/program/run-program.ts';
import { checkAccessible, useConsole } from './support/index.ts';

const app = useConsole();
const folder = testFolder();

const env = { XDG_CONFIG_HOME: folder };
/** The last page is one of the command line, which the test's browser takes for another host. */
const expects = /127\.0\.0\.1:\d+\/(?:\?state|favicon)/;

function waymark(...args: string[]) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = runProgram(createProgram, args, { env, out: print, error: print });
  return { lines, code };
}

/** Starts `waymark login`, and returns what it shows: the address of its page and the code to compare. */
async function startLogin(...args: string[]) {
  const login = waymark('login', app.product.url, '--no-browser', ...args);
  const found = await eventually(() => {
    const text = login.lines.join('\n');
    return { code: /the code (\S+)/.exec(text)![1]!, address: /(http\S+cli-login\S+)/.exec(text)![1]! };
  });
  return { ...login, shown: found.code, address: found.address };
}

it('waymark login gets a key that the person confirms in the browser, and stores it for its owner only', async () => {
  const owner = await app.product.signUp();
  const login = await startLogin('--read-only');
  const page = await app.visit(login.address, { cookie: owner.cookie, expects });
  expect(await page.getByLabel('Code').textContent()).toBe(login.shown);
  await page.getByText('The key may read. It is valid for 90 days.').waitFor();
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Create the key' }).click();
  expect(await login.code).toBe(0);
  await page.getByText('You are signed in.').waitFor();
  const file = join(folder, 'waymark', 'profiles.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { key } = JSON.parse(readFileSync(file, 'utf8')).profiles.default;
  expect(page.url()).not.toContain(key);
  expect(login.lines.join('\n')).not.toContain(key);
  const whoami = waymark('whoami', '--json');
  expect(await whoami.code).toBe(0);
  expect(JSON.parse(whoami.lines[0]!)).toMatchObject({
    workspaceId: owner.workspaceId,
    keyName: expect.stringMatching(/^waymark on /),
    scopes: ['read'],
  });
});

it('waymark login says that the person declined, or that the plan has no keys', async () => {
  const owner = await app.product.signUp();
  const declined = await startLogin();
  const first = await app.visit(declined.address, { cookie: owner.cookie, expects });
  await first.getByRole('button', { name: 'Decline' }).click();
  expect(await declined.code).toBe(3);
  expect(declined.lines.at(-1)).toMatch(/declined/);

  const body = { plan: 'free' };
  await app.product.call('PUT', `/workspaces/${owner.workspaceId}/plan`, { cookie: owner.cookie, body });
  const gated = await startLogin();
  const second = await app.visit(gated.address, { cookie: owner.cookie, expects });
  await second.getByRole('button', { name: 'Create the key' }).click();
  await second.getByRole('alert').waitFor();
  await second.getByRole('button', { name: 'Decline' }).click();
  expect(await gated.code).toBe(3);
  expect(gated.lines.at(-1)).toMatch(/plan .* no API keys/);
});

it('waymark login --device gets a key for the code that the person types on another machine', async () => {
  const owner = await app.product.signUp();
  const login = waymark('login', app.product.url, '--device', '--profile', 'remote');
  const { address, code } = await eventually(() => {
    const [, uri, shown] = /open (\S+) .* the code (\S+)/.exec(login.lines.join('\n'))!;
    return { address: uri!, code: shown! };
  });
  const page = await app.visit(new URL(address).pathname, { cookie: owner.cookie, expects: /404/ });
  await page.getByText('none that anybody has sent you').waitFor();
  await checkAccessible(page);
  await page.getByRole('textbox', { name: 'Code' }).fill('BBBB-BBBB');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('No command line waits with this code.').waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('It has asked from the address 127.0.0.1').waitFor();
  await page.getByText('The key may read and write. It is valid for 90 days.').waitFor();
  await checkAccessible(page);
  const box = page.getByLabel('It may also change settings for an hour');
  expect(await box.isChecked()).toBe(false);
  await box.check();
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByText('The key is created.').waitFor();
  expect(await login.code).toBe(0);
  const { profiles } = JSON.parse(readFileSync(join(folder, 'waymark', 'profiles.json'), 'utf8'));
  expect(profiles.remote).toMatchObject({
    workspaceId: owner.workspaceId,
    keyName: expect.stringMatching(/^waymark on /),
  });
  expect(login.lines.join('\n')).not.toContain(profiles.remote.key);

  const renamed = waymark('workspaces', 'update', owner.workspaceId, '--name', 'By the command line');
  expect([await renamed.code, renamed.lines.join('\n')]).toEqual([
    0,
    expect.stringContaining('By the command'),
  ]);
  const whoami = waymark('whoami', '--json');
  expect(await whoami.code).toBe(0);
  const { settingsUntil } = JSON.parse(whoami.lines[0]!);
  expect(Date.parse(settingsUntil) - Date.now()).toBeLessThanOrEqual(3_600_000);
  expect(login.lines.at(-1)).toBe(`until ${settingsUntil} it may also change settings`);
  await page.goto(`/w/${owner.workspaceId}/settings/api-keys`);
  await page.getByText('also change settings until').waitFor();
  const { cookie, workspaceId } = owner;
  const { data } = await eventually(async () => {
    const query = { workspaceId, action: 'api_key.create' };
    const { body } = await app.product.call('GET', '/audit-log', { cookie, query });
    expect(body.data).toHaveLength(1);
    return body;
  });
  expect(data[0]).toMatchObject({
    actor: { type: 'session', id: owner.userId },
    changes: { name: { after: profiles.remote.keyName }, settings_until: { after: settingsUntil } },
  });
});
