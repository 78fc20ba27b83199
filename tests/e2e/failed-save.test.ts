/// <reference lib="dom" />
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import type { Locator, Page, Route } from 'playwright-core';
import { checkAccessible, signIn, useConsole } from './support/index.ts';

const app = useConsole();

/** Waits until this element, or one inside it, has the focus and is on the screen. */
const expectFocus = (element: Locator) =>
  eventually(async () => {
    const isShown = await element.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      const isOnScreen = bottom > 56 && top >= 0 && top < innerHeight;
      return { hasFocus: one.contains(document.activeElement), isOnScreen };
    });
    expect(isShown).toEqual({ hasFocus: true, isOnScreen: true });
  });

const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

it('a save that fails focuses the first field in error, or the message', async () => {
  const page = await (await app.signUp()).open('decisions/new', { height: 600 });
  const save = page.getByRole('button', { name: 'Log decision' });
  const title = page.getByRole('textbox', { name: 'Title' });
  expect(await title.getAttribute('required')).not.toBeNull();
  await save.click();
  await expectFocus(title);
  await checkAccessible(page);

  await page.keyboard.type('x'.repeat(301));
  await save.click();
  await expectFocus(title);
  await title.fill('Where the lighthouse will stand');
  await page.context().setOffline(true);
  await save.click();
  await expectFocus(page.locator('[data-failure]', { has: alert(page, 'Waymark does not answer') }));
  await page.context().setOffline(false);

  // A field in error shows its section.
  const issues = [{ path: 'decidedBy', message: 'is not a member' }];
  const json = { error: 'VALIDATION_ERROR', message: 'decidedBy: is not a member', issues };
  await page.route('**/v1/decisions', (route) => route.fulfill({ status: 400, json }), { times: 1 });
  expect(await page.getByLabel('Decided by').count()).toBe(0);
  await save.click();
  await page.getByText('is not a member').waitFor();
  await expectFocus(page.getByLabel('Decided by'));
  await save.click();
  await page.getByRole('heading', { name: 'Where the lighthouse will stand', level: 1 }).waitFor();
});

it('a save that fails shows both versions when another user has changed the decision, and overwrites only when told to', async () => {
  const owner = await app.signUp();
  const path = `/decisions/${await owner.decide('Paint it red', { resolution: 'Red' })}`;
  const read = () => owner.call('GET', path);
  const theirs = (change: object) => owner.call('PATCH', path, change);
  const page = await owner.open(`${path.slice(1)}/edit`, { height: 600 });
  const title = page.getByLabel('Title');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await title.fill('Paint it blue');
  await theirs({ title: 'Paint it green', criteria: ['Seen from far'] });
  const ofDecision = `**/v1${path}*`;
  await page.route(ofDecision, (route) =>
    route.request().method() === 'PATCH' ? route.fallback() : route.abort(),
  );
  await save.click();
  await expectFocus(page.locator('[data-failure]', { has: alert(page, 'Waymark does not answer') }));
  await page.unroute(ofDecision);
  const conflict = page.locator('[data-failure]', { has: alert(page, 'changed this decision') });
  for (const _ of ['the first press', 'the second press']) {
    await save.click();
    await expectFocus(conflict);
  }
  const table = page.getByRole('table', { name: 'Yours and theirs' });
  for (const text of ['Paint it blue', 'Paint it green', 'Seen from far'])
    await table.getByText(text).waitFor();
  await checkAccessible(page);
  expect(await read()).toMatchObject({ title: 'Paint it green' });
  await title.fill('Paint it bluer');
  await page.getByRole('button', { name: 'Save mine over theirs' }).click();
  await page.getByRole('heading', { name: 'Paint it bluer', level: 1 }).waitFor();
  expect(await read()).toMatchObject({ title: 'Paint it bluer', criteria: ['Seen from far'] });

  await page.getByRole('link', { name: 'Edit' }).click();
  await title.fill('Paint it black');
  await theirs({ title: 'Paint it white' });
  await save.click();
  await page.getByRole('button', { name: 'Discard mine, take theirs' }).click();
  await eventually(async () => expect(await title.inputValue()).toBe('Paint it white'));
  await page.getByLabel('Resolution').fill('White');
  await save.click();
  await page.getByRole('heading', { name: 'Paint it white', level: 1 }).waitFor();
  expect(await read()).toMatchObject({ title: 'Paint it white', resolution: 'White' });
});

it('a save that fails shows the messages of the server at the fields of a dialog', async () => {
  const page = await (await app.signUp()).open('settings/api-keys', { height: 500 });
  await page.getByRole('button', { name: 'Create a key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create an API key' });
  await dialog.getByLabel('Name').fill('Deploys');
  const addresses = dialog.getByRole('textbox', { name: 'Allowed addresses' });
  await addresses.fill('203.0.113.1\nhere\nthere');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Entry 2 must be an IP address').waitFor();
  await expectFocus(addresses);
  expect(await dialog.textContent()).not.toContain('allowedIps');
  await checkAccessible(page);
});

it('a dialog whose request hangs can be closed and opened anew, and a notice tells how the request ended', async () => {
  const page = await (await app.signUp()).open('workflows', { expects: /^(400|503) of / });
  const create = async (title: string) => {
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    await page.getByRole('dialog').getByLabel('Title').fill(title);
  };
  const submit = () => page.getByRole('dialog').getByRole('button', { name: 'Create workflow' }).click();
  const sent: Route[] = [];
  await page.route('**/v1/workflows', (route) =>
    route.request().method() === 'POST' ? void sent.push(route) : route.fallback(),
  );
  const sentRoute = async (index: number) => {
    await eventually(() => sent.length > index);
    return sent[index]!;
  };
  await create('Build the tower');
  await submit();
  const first = await sentRoute(0);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('The request continues.').waitFor();

  await create('Light the lamp');
  const json = { error: 'SERVICE_UNAVAILABLE', message: 'The database is away.' };
  await first.fulfill({ status: 503, json });
  const failure = page.locator('.notices').filter({ hasText: 'The database is away.' });
  await failure.waitFor();
  // Another change leaves the notice, which can repeat the first one.
  await submit();
  await (await sentRoute(1)).fulfill({ status: 400, json: { error: 'BAD_REQUEST', message: 'Not now.' } });
  await page.getByRole('alert').filter({ hasText: 'Not now.' }).waitFor();
  await failure.getByRole('button', { name: 'Try again' }).click();
  await (await sentRoute(2)).continue();
  await page.getByText('Created “Build the tower”.').waitFor();
  await checkAccessible(page);
  // The first dialog neither closes the second nor leaves the page.
  await submit();
  await (await sentRoute(3)).continue();
  await page.getByRole('heading', { name: 'Light the lamp' }).waitFor();
});

describe('a dialog that is closed before a refusal', () => {
  const press = (name: string) => (page: Page) =>
    page.getByRole('button', { name, exact: true }).first().click();
  type Entry = [file: string, page: string, open: string, field: string, act: string];
  const entries: Entry[] = [
    [
      'decisions/page/forecast-dialog.tsx',
      'decision',
      'Give your forecast',
      'Reason, which',
      'Save the forecast',
    ],
    ['decisions/page/objection-dialog.tsx', 'decision', 'Object', 'What would have to change?', 'Object'],
    ['decisions/page/outcome-dialog.tsx', 'decision', 'Log outcome', 'Notes:', 'Log outcome'],
    ['decisions/page/review-dialog.tsx', 'decision', 'Review', 'Note', 'Review'],
    [
      'settings/api-keys/new-service-account-dialog.tsx',
      'settings/api-keys',
      'Create a service account',
      'Name',
      'Create a service account',
    ],
    ['webhooks/endpoints/endpoint-form.tsx', 'webhook', 'Edit', 'Description', 'Save'],
    ['workflows/workflow-dialog.tsx', 'workflows', 'New workflow', 'Title', 'Create workflow'],
  ];
  /** They have choices, a password, or a name that they show. */
  const withoutText = [
    'decisions/page/approval-request-dialog.tsx',
    'settings/account/passkey-dialog.tsx',
    'settings/workspace/delete-workspace.tsx',
    'ui/dialog/form-dialog.tsx',
    'webhooks/deliveries/replay-dialog.tsx',
    'webhooks/endpoints/rotate-secret-dialog.tsx',
    'webhooks/endpoints/test-dialog.tsx',
    'workflows/connect-dialog.tsx',
  ];

  it('has the input when it is opened again, once', async () => {
    const owner = await app.signUp();
    const decision = await owner.decide('Dig', { status: 'accepted' });
    const webhook = await owner.call('POST', '/webhooks', {
      url: 'https://example.com',
      events: ['decision.created'],
    });
    const paths: Record<string, string> = {
      decision: `decisions/${decision}`,
      webhook: `webhooks/${webhook.id}`,
    };
    const page = await owner.open('settings', { expects: /^4\d\d of / });
    const dialog = page.getByRole('dialog');
    for (const [, path, open, label, act] of entries) {
      await page.goto(`/w/${owner.workspaceId}/${paths[path] ?? path}`);
      await press(open)(page);
      const field = dialog.getByRole('textbox', { name: label });
      const fill = async () => {
        const required = dialog.getByLabel('Chance of success, in percent');
        if (open === 'Give your forecast') await required.fill('70');
        if (open === 'Log outcome') await dialog.getByLabel('Outcome').selectOption('success');
        await field.fill('Because of the tide');
      };
      await fill();
      const held = Promise.withResolvers<Route>();
      await page.route('**/v1/**', (route) =>
        route.request().method() === 'GET' ? route.fallback() : held.resolve(route),
      );
      await dialog.getByRole('button', { name: act, exact: true }).click();
      const route = await held.promise;
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('The dialog then has your input.').last().waitFor();
      const status = act === 'Log outcome' ? 412 : 409;
      const error = status === 412 ? 'PRECONDITION_FAILED' : 'CONFLICT';
      await route.fulfill({ status, json: { error, message: 'Not as it was.' } });
      await page.unroute('**/v1/**');
      await page.locator('.notices').getByText('Not as it was.').first().waitFor();
      await press(open)(page);
      await field.waitFor();
      expect([open, await field.inputValue()]).toEqual([open, 'Because of the tide']);
      // It is input that closing asks about.
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Discard it' }).click();
      await dialog.waitFor({ state: 'detached' });
      await press(open)(page);
      await field.waitFor();
      expect([open, await field.inputValue()]).toEqual([open, '']);
    }
  });

  /** Sends what the dialog has, closes it, and returns the request, which has no response. */
  async function closeBeforeResponse(page: Page, act: string): Promise<Route> {
    const held: Route[] = [];
    await page.route('**/v1/**', (route) =>
      route.request().method() === 'GET' || held.length > 0 ? route.fallback() : void held.push(route),
    );
    await page.getByRole('dialog').getByRole('button', { name: act, exact: true }).click();
    await eventually(() => held.length > 0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return held[0]!;
  }
  const conflict = { status: 409, json: { error: 'CONFLICT', message: 'Not as it was.' } };
  const told = (page: Page) => page.locator('.notices').getByText('Not as it was.').waitFor();

  it('has no input of the user who was signed in before, and no notice offers to send it', async () => {
    for (const isRefusedLater of [false, true]) {
      const owner = await app.signUp();
      const grace = await owner.addMember('member', 'Grace Hopper');
      const path = `decisions/${await owner.decide('Dig', { status: 'accepted' })}`;
      const page = await owner.open(path, { expects: /^409 of / });
      await page.evaluate(() => Object.assign(window, { isSamePage: true }));
      const reason = page.getByLabel('What would have to change?');
      await press('Object')(page);
      await reason.fill('It floods');
      const route = await closeBeforeResponse(page, 'Object');
      const refuse = async () => {
        const response = page.waitForResponse((one) => one.status() === conflict.status);
        await route.fulfill(conflict);
        await response;
      };
      if (!isRefusedLater) {
        await refuse();
        await told(page);
      }
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForResponse('**/v1/auth/methods');
      if (isRefusedLater) await refuse();
      await signIn(page, grace);
      await page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor();
      await page.evaluate(() => history.go(-2));
      await press('Object')(page);
      await reason.waitFor();
      expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
      expect(await reason.inputValue()).toBe('');
      expect(await page.getByText('Not as it was.').count()).toBe(0);
    }
  });

  it('has what another user has saved meanwhile in the fields that the user left as they were', async () => {
    const owner = await app.signUp();
    const id = await owner.decide('Dig', { status: 'accepted' });
    await owner.call('PATCH', `/decisions/${id}`, { outcome: 'success', outcomeNotes: 'Dry' });
    const page = await owner.open(`decisions/${id}`, { expects: /^412 of / });
    const open = press('Log outcome');
    const dialog = page.getByRole('dialog');
    await open(page);
    const notes = page.getByLabel('Notes:');
    expect(await notes.inputValue()).toBe('Dry');
    await dialog.getByLabel('Outcome').selectOption('failure');
    const route = await closeBeforeResponse(page, 'Log outcome');
    const read = page.waitForResponse(
      (response) => response.request().method() === 'GET' && response.url().includes(`/v1/decisions/${id}`),
    );
    await owner.call('PATCH', `/decisions/${id}`, { outcomeNotes: 'Wet' });
    expect(await (await read).text()).toContain('Wet');
    await route.continue();
    await page.locator('.notices').getByRole('alert').waitFor();
    await open(page);
    await notes.waitFor();
    expect(await notes.inputValue()).toBe('Wet');
    expect(await dialog.getByLabel('Outcome').inputValue()).toBe('failure');
  });

  it('has no input that the user has saved in a second dialog, or with the notice', async () => {
    const page = await (await app.signUp()).open('settings/api-keys', { expects: /^409 of / });
    const act = 'Create a service account';
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name');
    const again = async (message: string) => {
      await page.getByText(message).first().waitFor();
      await dialog.waitFor({ state: 'detached' });
      await press(act)(page);
      await name.waitFor();
      expect(await name.inputValue()).toBe('');
    };
    await press(act)(page);
    await name.fill('Deploys');
    let route = await closeBeforeResponse(page, act);
    await press(act)(page);
    await route.fulfill(conflict);
    await told(page);
    await name.fill('Deploys');
    await dialog.getByRole('button', { name: act }).click();
    await again('Deploys is created.');

    await name.fill('Backups');
    route = await closeBeforeResponse(page, act);
    const repeat = page.locator('.notices').getByRole('button', { name: 'Try again' });
    const before = await repeat.count();
    await route.fulfill(conflict);
    await eventually(async () => (await repeat.count()) > before);
    await repeat.last().click();
    await again('Backups is created.');
  });

  it('promises no input where it keeps none', async () => {
    const owner = await app.signUp();
    const { id } = await owner.call('POST', '/webhooks', {
      url: 'https://example.com',
      events: ['decision.created'],
    });
    const page = await owner.open(`webhooks/${id}`);
    await press('Send a test')(page);
    const route = await closeBeforeResponse(page, 'Send');
    await page.getByText('If it is refused, a message says so.', { exact: false }).waitFor();
    expect(await page.getByText('has your input').count()).toBe(0);
    await route.abort();
  });

  it('is in one of the lists above', () => {
    const sources = join(findRepositoryRoot(), 'apps/console/src');
    const files = globSync('**/*.tsx', { cwd: sources }).filter((file) =>
      /<FormDialog\b|useReturnedInput\(/.test(readFileSync(join(sources, file), 'utf8')),
    );
    expect(files.sort()).toEqual([...entries.map(([file]) => file), ...withoutText].sort());
  });
});
