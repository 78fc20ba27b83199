/// <reference lib="dom" />
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually, startWebhookReceiver } from '@waymark/testing';
import type { Locator, Page, Route } from 'playwright-core';
import { controlsInCode } from './support/controls-in-code.ts';
import { drawWorkflow, edge, node } from './support/draw-workflow.ts';
import { openMore, type Person, useConsole } from './support/index.ts';
import { type Control, walkEndings } from './support/walk-endings.ts';

const app = useConsole();
const known = new Set<string>();
const seen = new Set<string>();
const expects = /^50[023] of /;
const receiver = await startWebhookReceiver();
afterAll(() => receiver.stop());

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click();
const pressMore = (name: string, of?: string | RegExp) => async (page: Page) => {
  await openMore(page, of);
  await press(name)(page);
};
/** Acts on a part of what a button opens: a press elsewhere, as on "Try again", closes it. */
const opening =
  (
    button: string | RegExp,
    part: (page: Page) => Locator,
    act: (part: Locator, page: Page) => Promise<unknown>,
  ) =>
  async (page: Page) => {
    await eventually(async () => {
      if (await part(page).isHidden()) await press(button)(page);
      await part(page).click({ trial: true, timeout: 1_000 });
    });
    await act(part(page), page);
  };
const escaped = (text: string) => text.replaceAll(/[^\w ]/g, '\\$&');
const inDialog = (name: string | RegExp) => (page: Page) =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();
const confirmed =
  (begin: string | RegExp | ((page: Page) => Promise<void>), act: string) => async (page: Page) => {
    await (typeof begin === 'function' ? begin : press(begin))(page);
    await inDialog(act)(page);
  };
const fill =
  (values: Record<string, string>, show?: ((page: Page) => Promise<unknown>) | { region: string }) =>
  async (page: Page) => {
    const isRegion = typeof show === 'object';
    if (!isRegion) await show?.(page);
    const part = isRegion ? page.getByRole('region', { name: show.region }) : page.locator('body');
    for (const [label, value] of Object.entries(values)) {
      const fields = part.getByLabel(new RegExp(`^${escaped(label)}( \\*)?$`));
      await fields.and(page.locator('input, textarea')).last().fill(value);
    }
  };

const OF_MESSAGE = /^More actions for the message/;
/** The controls of a message beside its text. */
const answering = (place: Pick<Control, 'at' | 'open'>) =>
  ({
    react: {
      ...place,
      act: async (on: Page) => {
        await press('React')(on);
        await press('Heart')(on);
      },
    },
    'take back': { ...place, act: press(/^Heart, /) },
    resolve: { ...place, act: pressMore('Resolve', OF_MESSAGE) },
    reopen: { ...place, act: pressMore('Reopen', OF_MESSAGE) },
  }) satisfies Record<string, Control>;

/** Walks the endings of each control, one after the other on one page. */
async function walk(page: Page, controls: Record<string, Control>, owner?: Person): Promise<void> {
  const failures: unknown[] = [];
  for (const [name, control] of Object.entries(controls)) {
    known.add(name);
    const { at } = control;
    try {
      await page.goto('about:blank');
      await page.goto(at.startsWith('/') ? at : `/w/${owner!.workspaceId}/${at}`);
      await walkEndings(page, name, control, seen);
    } catch (error) {
      const text = await page.locator('body').ariaSnapshot();
      // Or the next control would get the ending at which this one failed.
      await page.unroute('**/v1/**');
      failures.push(`${name}: ${error instanceof Error ? error.message : error}\n${page.url()}\n${text}`);
    }
  }
  expect(failures).toEqual([]);
}

/** Shows the ways to sign in that the shared product does not have. */
async function offerEverything(page: Page): Promise<void> {
  await page.route('**/v1/auth/methods', async (route) => {
    const response = await route.fetch();
    const json = { ...(await response.json()), passkeys: true, password_reset: 'mail' };
    await route.fulfill({ response, json });
  });
}

/** Requests without a control: they say nothing when they fail. */
const IN_BACKGROUND = {
  controls: ['workflows/workflow-board.tsx viewers'],
  changes: [
    'POST /auth/invitation',
    // The second half of a ceremony, by the same control as the first.
    'POST /auth/passkeys',
    'POST /auth/sign-in/passkey',
    'POST /presence',
  ],
};

describe('a failed change is said, whatever it ended in, and can be repeated', () => {
  it('on the pages of a workspace and its settings', async () => {
    const owner = await app.signUp('Ada Lovelace');
    const { memberId } = await owner.addMember('member', 'Grace Hopper');
    await owner.addMember('viewer', 'Alan Turing');
    await owner.call('POST', '/invitations', { role: 'viewer', email: 'joan@example.com' });
    const page = await owner.open('settings', { expects });
    expect(memberId).toBeDefined();
    await walk(
      page,
      {
        'settings/workspace/general-page.tsx rename': {
          at: 'settings',
          open: fill({ Name: 'The harbour' }),
          act: press('Rename'),
        },
        'settings/workspace/plan-choice.tsx change': {
          at: 'settings',
          open: (on) => on.getByLabel('Enterprise').check(),
          act: press('Change plan'),
        },
        'settings/workspace/general-page.tsx chooseModel': {
          at: 'settings',
          act: (on) => on.getByLabel('Model').selectOption('dq-2'),
        },
        'settings/workspace/general-page.tsx hide': {
          at: 'settings',
          act: (on) => on.getByRole('switch', { name: 'Hide the forecasts of others' }).click(),
        },
        'settings/workspace/approval-rules.tsx save': {
          at: 'settings',
          open: press('Add a rule'),
          act: press('Save the rules'),
        },
        'settings/workspace/new-workspace-page.tsx create': {
          at: '/new-workspace',
          open: fill({ Name: 'Another' }),
          act: press('Create workspace'),
        },
        'settings/members/invitation-dialog.tsx invite': {
          at: 'settings/members#new',
          open: fill({ 'E-mail': 'mary@example.com' }),
          act: press('Create the link'),
        },
        'settings/members/pending-invitations.tsx revoke': {
          at: 'settings/members',
          act: confirmed('Revoke the invitation of joan@example.com', 'Revoke'),
        },
        'settings/members/members-page.tsx changeRole': {
          at: 'settings/members',
          act: async (on) => {
            await on.getByLabel('Role of Grace Hopper').selectOption('admin');
            await inDialog('Change role')(on);
          },
        },
        'settings/members/members-page.tsx readKeys': {
          at: 'settings/members',
          act: pressMore('Remove', 'Grace Hopper'),
          takes: /^GET \/api-keys/,
        },
        'settings/members/members-page.tsx remove': {
          at: 'settings/members',
          act: confirmed(pressMore('Remove', 'Grace Hopper'), 'Remove'),
        },
        'audit/audit-log-page.tsx download': {
          at: 'audit',
          act: press('Export NDJSON'),
          takes: /^GET \/audit-log\/export/,
        },
        'audit/verify-chain.tsx verify': {
          at: 'audit',
          act: press(/Verify/),
          takes: /^GET \/audit-log\/verify/,
        },
        'transfer/export-choice.tsx download': {
          at: 'transfer',
          act: press('Export JSON'),
          takes: /^GET \/export/,
        },
        'transfer/import-file.tsx start': {
          at: 'transfer',
          open: (on) =>
            on.locator('input[type=file]').setInputFiles({
              name: 'export.json',
              mimeType: 'application/json',
              buffer: Buffer.from('{}'),
            }),
          act: press('Check file'),
        },
        'insight/calendar-feed.tsx create': { at: 'insight', act: press('New address') },
        'insight/calendar-feed.tsx revoke': { at: 'insight', act: confirmed('End feed', 'End feed') },
      },
      owner,
    );
  });

  it('on the pages of keys and webhooks', async () => {
    const owner = await app.signUp();
    await owner.createKey({ name: 'Deploys' });
    await owner.call('POST', '/service-accounts', { name: 'Crane', role: 'member' });
    const url = `${receiver.url}/hook`;
    const { id } = await owner.call('POST', '/webhooks', { url, events: ['decision.created'] });
    await owner.call('POST', `/webhooks/${id}/test`);
    const at = `webhooks/${id}`;
    const page = await owner.open('settings', { expects });
    await walk(
      page,
      {
        'settings/api-keys/new-key-dialog.tsx create': {
          at: 'settings/api-keys#new',
          open: fill({ Name: 'Reports' }),
          act: press('Create key'),
        },
        'settings/api-keys/rotate-key-dialog.tsx rotate': {
          at: 'settings/api-keys',
          open: pressMore('Rotate', 'Deploys'),
          act: inDialog('Rotate'),
        },
        'settings/api-keys/api-keys-page.tsx revoke': {
          at: 'settings/api-keys',
          act: confirmed(pressMore('Revoke', 'Deploys'), 'Revoke'),
        },
        'settings/api-keys/new-service-account-dialog.tsx create': {
          at: 'settings/api-keys',
          open: fill({ Name: 'Lock' }, press('Create a service account')),
          act: inDialog(/^Create/),
        },
        'settings/api-keys/service-accounts.tsx changeRole': {
          at: 'settings/api-keys',
          act: async (on) => {
            await on.getByLabel('Role of Crane').selectOption('viewer');
            await inDialog('Change role')(on);
          },
        },
        'settings/api-keys/service-accounts.tsx remove': {
          at: 'settings/api-keys',
          act: confirmed(pressMore('Remove', 'Crane'), 'Remove'),
        },
        'webhooks/endpoints/new-endpoint-dialog.tsx create': {
          at: 'webhooks#new',
          open: fill({ Address: url }),
          act: inDialog('Add endpoint'),
        },
        'webhooks/endpoints/edit-endpoint-dialog.tsx save': {
          at,
          open: fill({ Description: 'The desk' }, press('Edit')),
          act: inDialog('Save'),
        },
        'webhooks/endpoints/test-dialog.tsx test': { at, open: press('Send a test'), act: inDialog('Send') },
        'webhooks/endpoints/rotate-secret-dialog.tsx rotate': {
          at,
          open: pressMore('Rotate secret'),
          act: inDialog('Create a new secret'),
        },
        'webhooks/deliveries/replay-button.tsx replay': { at, act: press('Send again: ping') },
        'webhooks/deliveries/replay-dialog.tsx replay': {
          at,
          open: press('Replay deliveries'),
          act: inDialog('Send again'),
        },
        'webhooks/endpoints/endpoint-actions.tsx enable': {
          at,
          act: confirmed(pressMore('Disable'), 'Disable'),
        },
        'webhooks/endpoints/endpoint-actions.tsx remove': {
          at,
          act: confirmed(pressMore('Delete'), 'Delete'),
        },
      },
      owner,
    );
  });

  it('on the pages of decisions', async () => {
    const owner = await app.signUp();
    const page = await owner.open('settings', { expects });
    await walk(
      page,
      {
        'decisions/list/first-steps.tsx sample': {
          at: 'decisions',
          act: press('Open a sample workspace'),
          takes: /^POST \/workspaces/,
          until: (on) => on.getByText('This is a sample').waitFor(),
        },
        'decisions/list/sample-notice.tsx remove': {
          at: '/',
          act: confirmed('Remove the sample', 'Remove'),
        },
      },
      owner,
    );
    const paint = await owner.decide('Paint it red', { resolution: 'Red' });
    const onMessage = answering({ at: `decisions/${paint}` });
    const dig = await owner.decide('Dig deeper', { status: 'accepted', expectedBy: '2020-01-01' });
    for (const at of Array.from({ length: 12 }).keys()) await owner.decide(`Lighthouse ${at}`);
    const grace = await owner.addMember('member', 'Grace Hopper');
    const { ids } = await drawWorkflow(owner, ['Build']);
    await grace.call('PATCH', `/nodes/${ids['Build']}`, { assignedTo: owner.userId });
    const selectBoth = async (on: Page) => {
      await on.getByRole('checkbox', { name: 'Select Lighthouse 1', exact: true }).check();
      await on.getByRole('checkbox', { name: 'Select Lighthouse 2', exact: true }).check();
    };
    const deleteBoth = async (on: Page) => {
      await selectBoth(on);
      await press('Delete')(on);
    };
    await walk(
      page,
      {
        'decisions/form/new-decision-page.tsx create': {
          at: 'decisions/new',
          open: (on) => on.getByRole('textbox', { name: 'Title' }).fill('Where it will stand'),
          act: press('Log decision'),
        },
        'decisions/form/edit-decision-page.tsx useEditDecision': {
          at: `decisions/${paint}/edit`,
          open: (on) => on.getByRole('textbox', { name: 'Title' }).fill('Paint it blue'),
          act: press('Save'),
        },
        'decisions/form/section-editor.tsx useEditDecision': {
          at: `decisions/${paint}`,
          open: async (on) => {
            await press('Edit resolution and reasons')(on);
            await on.getByLabel('Resolution').fill('Blue');
          },
          act: press('Save'),
        },
        'decisions/list/decision-board.tsx move': {
          at: 'decisions?board=true',
          act: pressMore('Move to accepted', 'Lighthouse 11'),
        },
        'decisions/page/decision-approvals.tsx give': { at: `decisions/${paint}`, act: press('Approve') },
        'decisions/page/review-dialog.tsx review': {
          at: `decisions/${dig}`,
          open: press('Review'),
          act: inDialog('Review'),
        },
        'decisions/page/forecast-dialog.tsx give': {
          at: `decisions/${paint}`,
          open: fill({ 'Chance of success, in percent': '70' }, press('Give your forecast')),
          act: inDialog('Save the forecast'),
        },
        'decisions/page/objection-dialog.tsx object': {
          at: `decisions/${paint}`,
          open: fill({ 'What would have to change?': 'The colour' }, press('Object')),
          act: inDialog('Object'),
        },
        'decisions/page/approval-request-dialog.tsx ask': {
          at: `decisions/${paint}`,
          open: async (on) => {
            await press('Ask for approval')(on);
            await on.getByRole('dialog').getByRole('checkbox').first().check();
          },
          act: inDialog('Ask for approval'),
        },
        'decisions/page/decision-actions.tsx accept': { at: `decisions/${paint}`, act: press('Accept') },
        'decisions/page/outcome-dialog.tsx change': {
          at: `decisions/${paint}`,
          open: async (on) => {
            await press('Log outcome')(on);
            await on.getByRole('dialog').getByLabel('Outcome').selectOption('success');
          },
          act: inDialog('Log outcome'),
        },
        'discussion: post': {
          at: `decisions/${paint}`,
          open: async (on) => {
            await press('Write a message')(on);
            await fill({ 'New message, in Markdown': 'Ahoy' })(on);
          },
          act: press('Post'),
        },
        'discussion: edit': {
          at: `decisions/${paint}`,
          open: async (on) => {
            await pressMore('Edit', OF_MESSAGE)(on);
            await on.getByLabel('Message, in Markdown', { exact: true }).fill('Ahoy there');
          },
          act: press('Save'),
        },
        'discussion: react': onMessage.react,
        'discussion: take back': onMessage['take back'],
        'discussion: resolve': onMessage.resolve,
        'discussion: reopen': onMessage.reopen,
        'discussion: delete': {
          at: `decisions/${paint}`,
          act: confirmed(pressMore('Delete', OF_MESSAGE), 'Delete message'),
        },
        'insight/overdue-queue.tsx log': {
          at: 'insight',
          open: (on) => on.getByLabel('Outcome of Dig deeper', { exact: true }).selectOption('success'),
          act: press('Log outcome of Dig deeper'),
        },
        'inbox/watch-select.tsx choose': {
          at: `decisions/${paint}`,
          act: (on) => on.getByLabel('Tell me of').selectOption('Nothing'),
        },
        'inbox/watch-select.tsx choose, to end it': {
          at: `decisions/${paint}`,
          act: (on) => on.getByLabel('Tell me of').selectOption('What concerns me'),
        },
        'inbox/inbox-row.tsx change': { at: '/inbox', act: press(/^Mark as (un)?read$/) },
        'inbox/inbox-row.tsx mute': { at: '/inbox', act: press('Mute') },
        'settings/account/subscriptions.tsx end': { at: '/account', act: press(/^(Stop watching|Unmute): /) },
        'inbox/inbox-page.tsx readAll': { at: '/inbox', act: press('Mark all as read') },
        'decisions/page/decision-actions.tsx remove': {
          at: `decisions/${dig}`,
          act: confirmed(pressMore('Delete'), 'Delete'),
        },
        'decisions/list/bulk-bar.tsx change': {
          at: 'decisions',
          open: selectBoth,
          act: async (on) => {
            await press('Set status')(on);
            await on.getByRole('menuitem', { name: 'accepted' }).click();
          },
          repeatsItself: ['429'],
        },
        'decisions/list/bulk-bar.tsx download': {
          at: 'decisions',
          open: selectBoth,
          act: press('Export CSV'),
          takes: /^GET \/decisions\/export-csv/,
        },
        'decisions/list/decision-list-page.tsx useDeleteWithUndo, to restore': {
          at: 'decisions',
          open: deleteBoth,
          act: press('Undo'),
          // Nothing is left to restore, or nobody may.
          without: ['403', '404', '429'],
        },
        'decisions/list/decision-list-page.tsx useDeleteWithUndo': {
          at: 'decisions',
          act: deleteBoth,
          // It waits until the limit allows the request.
          without: ['429'],
        },
      },
      owner,
    );
  });

  it('on the list with its views', async () => {
    const owner = await app.signUp();
    const create = { operation: 'createDecision', body: { title: 'One of many' } };
    const operations = Array.from({ length: 26 }, () => create);
    await owner.call('POST', '/batch', { operations }, { headers: { 'Batch-Size': '26' } });
    const view = { kind: 'decisions', name: 'Overdue', columns: ['status'] };
    await owner.call('POST', '/views', view);
    const page = await owner.open('settings', { expects });
    const within = (act: (on: Page) => Promise<unknown>) =>
      opening(
        'Views',
        (on) => on.getByLabel('Save this view as'),
        (_, on) => act(on),
      );
    const inMenu = (name: string) =>
      within(async (on) => {
        await press('Actions for the view Overdue')(on);
        await on.getByRole('menuitem', { name }).click();
      });
    const at = 'decisions';
    const allShown = (on: Page) => on.getByRole('checkbox', { name: 'Select all that are shown' }).check();
    await walk(
      page,
      {
        'decisions/list/decision-list-page.tsx selectMatching': {
          at,
          open: allShown,
          act: press('Select all 26 that match'),
          takes: /^GET \/decisions$/,
          // The page waits until the limit allows the read, and says so.
          without: ['429'],
        },
        'decisions/views/column-chooser.tsx arrange': {
          at,
          act: opening(
            'Columns',
            (on) => on.getByRole('checkbox', { name: 'Changed' }),
            (box) => box.click(),
          ),
        },
        'views/view-link.tsx arrange': {
          at,
          act: within((on) => on.getByRole('link', { name: 'Overdue' }).click()),
        },
        'views/saved-views.tsx change': {
          at,
          act: within(async (on) => {
            await fill({ 'Save this view as': 'Mine' })(on);
            await press('Save')(on);
          }),
        },
        'views/saved-views.tsx arrange': { at, act: within(press('Favourite: Overdue')) },
        'views/saved-views.tsx arrange, as the default': {
          at,
          act: inMenu('Open the list with it'),
        },
        'views/saved-views.tsx change, to share': { at, act: inMenu('Share with') },
        'views/saved-views.tsx change, to remove': { at, act: inMenu('Remove the view') },
      },
      owner,
    );
  });

  it('on the page of deleted records', async () => {
    const owner = await app.signUp();
    const decision = await owner.decide('Paint it red');
    const { workflowId } = await drawWorkflow(owner, ['Plan']);
    const { ids } = await drawWorkflow(owner, ['Build']);
    const thread = `/decisions/${await owner.decide('Dig deeper')}/thread`;
    const { message } = await owner.call('POST', thread, { content: 'Ahoy' });
    for (const path of [`/decisions/${decision}`, `/workflows/${workflowId}`, `/nodes/${ids['Build']}`])
      await owner.call('DELETE', path);
    await owner.call('DELETE', `${thread}/messages/${message.id}`);
    const page = await owner.open('settings', { expects });
    const restore = (tab: string) => ({
      at: 'trash',
      open: (on: Page) => on.getByRole('tab', { name: tab }).click(),
      act: press(/^Restore /),
    });
    await walk(
      page,
      {
        'trash/trash-page.tsx restore': restore('Decisions'),
        'trash/trash-page.tsx restore, a workflow': restore('Workflows'),
        'trash/trash-page.tsx restore, a node': restore('Nodes'),
        'trash/trash-page.tsx restore, a message': restore('Messages'),
      },
      owner,
    );
  });

  it('on the pages of an account', async () => {
    const owner = await app.signUp('Ada Lovelace');
    const other = await app.signUp();
    await owner.signIn('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0');
    // The last page of the command line is one of another host.
    const page = await owner.open('settings', { expects: /^50[023] of |127\.0\.0\.1:65000/ });
    await offerEverything(page);
    const me = { ...(await owner.call('GET', '/auth/me')), has_password: false };
    const passkey = {
      ...{ id: 'p1', name: 'Laptop', synced: false },
      ...{ created_at: new Date().toISOString(), last_used_at: null },
    };
    const grant = {
      ...{ id: 'g1', workspace_id: owner.workspaceId, name: 'Claude', client_id: 'c', scopes: ['read'] },
      ...{ created_at: new Date().toISOString(), last_used_at: null, expires_at: null },
    };
    const include = 'sign_in_methods,sessions,grants,passkeys,totp';
    const account = await owner.call('GET', '/auth/me', undefined, { query: { include } });
    Object.assign(account.included, { grants: [grant], passkeys: [passkey] });
    Object.assign(account.included.sign_in_methods, { passkeys: true, password_reset: 'mail' });
    const showAccount = (on: Page, parts = {}) => {
      const json = { ...account, included: { ...account.included, ...parts } };
      return on.route('**/v1/auth/me?include=*', (route) => route.fulfill({ json }));
    };
    await showAccount(page);
    await page.route('**/v1/auth/grant-request*', (route) =>
      route.fulfill({ json: { client_id: 'c', name: 'Claude', host: 'claude.ai' } }),
    );
    const authorize = new URLSearchParams({
      ...{ response_type: 'code', client_id: 'c', redirect_uri: 'https://claude.ai/callback' },
      ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    });
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 3_072 });
    const cli = new URLSearchParams({
      ...{ port: '65000', state: 'x'.repeat(43), host: 'laptop', scope: 'read' },
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
    });
    const deviceLogin = {
      ...{ name: 'build-7', ip: '203.0.113.7', scopes: ['read'] },
      ...{ created_at: new Date().toISOString(), expires_at: new Date().toISOString() },
    };
    await page.route('**/v1/auth/device', (route) => route.fulfill({ json: deviceLogin }));
    const found = {
      at: '/device',
      async open(on: Page) {
        await fill({ Code: 'WDJB-MJHT' })(on);
        await press('Continue')(on);
      },
      response: {},
    };
    await walk(page, {
      'settings/account/account-page.tsx changeLanguage': {
        at: '/account',
        act: (on) => on.getByLabel('E-mail only').selectOption('Deutsch'),
      },
      'settings/account/account-page.tsx rename': {
        at: '/account',
        open: fill({ Name: 'Ada King' }),
        act: press('Change name'),
      },
      'settings/account/mail-settings.tsx change': {
        at: '/account',
        act: press('Save notifications'),
        response: {},
      },
      'settings/account/account-page.tsx changeEmail': {
        at: '/account',
        open: fill(
          { 'New address': 'ada@example.com', 'Your password': 'x' },
          { region: 'Change e-mail address' },
        ),
        act: press('Send the link'),
        response: {},
      },
      'settings/account/passkeys.tsx create': {
        at: '/account',
        open: fill({ 'Your password': 'x' }, { region: 'Passkeys' }),
        act: press('Add a passkey'),
        response: { options: {} },
      },
      'settings/account/passkey-dialog.tsx change': {
        at: '/account',
        open: fill({ Name: 'Phone' }, press('Rename Laptop')),
        act: inDialog('Rename'),
        response: passkey,
      },
      'settings/account/passkey-dialog.tsx change, to remove it': {
        at: '/account',
        open: fill({ 'Your password': 'x' }, press('Remove Laptop')),
        act: inDialog('Remove'),
        response: {},
      },
      'settings/account/authenticator-app.tsx change': {
        at: '/account',
        open: fill({ 'Your password': 'x' }, { region: 'Authenticator app' }),
        act: press('Add the app'),
        response: { enrolment: 'e', secret: 'ABCD', uri: 'otpauth://totp/Waymark?secret=ABCD' },
      },
      'settings/account/set-up-dialog.tsx add': {
        at: '/account',
        open: async (on) => {
          await fill({ 'Your password': 'x' }, { region: 'Authenticator app' })(on);
          const enrolment = { enrolment: 'e', secret: 'ABCD', uri: 'otpauth://totp/Waymark?secret=ABCD' };
          await on.route('**/v1/auth/totp/options', (route) => route.fulfill({ json: enrolment }));
          await press('Add the app')(on);
          await fill({ 'Code of the app': '123456' })(on);
        },
        act: inDialog('Add the app'),
        takes: /^POST \/auth\/totp$/,
        response: { recovery_codes: ['one'] },
      },
      'settings/account/authenticator-app.tsx change, for new recovery codes': {
        at: '/account',
        open: async (on) => {
          const totp = { added_at: new Date().toISOString(), recovery_codes_left: 1 };
          await showAccount(on, { totp });
          await on.reload();
          await fill({ 'Your password': 'x' }, { region: 'Authenticator app' })(on);
        },
        act: press('New recovery codes'),
        response: { recovery_codes: ['one'] },
      },
      'settings/account/authenticator-app.tsx change, to remove it': {
        at: '/account',
        open: fill({ 'Your password': 'x' }, { region: 'Authenticator app' }),
        act: press('Remove the app'),
        response: {},
      },
      'settings/workspace/general-page.tsx requireFactor': {
        at: `/w/${owner.workspaceId}/settings`,
        open: async (on) => {
          const signedIn = { ...(await owner.call('GET', '/auth/me')), second_factor: true };
          await on.route('**/v1/auth/me', (route) => route.fulfill({ json: signedIn }));
          await on.reload();
        },
        act: press('Require a second factor'),
        response: {},
      },
      'settings/account/sessions.tsx endSession': {
        at: '/account',
        act: confirmed(/^Sign out .+/, 'Sign out'),
      },
      'settings/account/sessions.tsx endGrant': {
        at: '/account',
        act: confirmed('Disconnect Claude', 'Disconnect'),
        response: {},
      },
      'settings/authorize/authorize-page.tsx allow': {
        at: `/authorize?${authorize}`,
        act: press('Connect'),
        response: { redirect_to: '/account' },
        until: (on) => on.waitForURL('**/account'),
      },
      'settings/cli-login/cli-login-page.tsx create': {
        at: `/cli-login?${cli}`,
        act: press('Create the key'),
        response: { key: 'wm_key' },
        // Nothing listens at the port to which the page goes.
        until: (on) => eventually(() => on.url().startsWith('chrome-error:')),
      },
      'settings/cli-login/device-page.tsx find': {
        at: '/device',
        open: fill({ Code: 'WDJB-MJHT' }),
        act: press('Continue'),
        response: deviceLogin,
      },
      'settings/cli-login/device-page.tsx create': { ...found, act: press('Create the key') },
      'settings/cli-login/device-page.tsx decline': { ...found, act: press('Decline') },
      'settings/account/account-page.tsx changePassword': {
        at: '/account',
        open: fill(
          { 'Current password': owner.password, 'New password': 'another horse battery' },
          { region: 'Change password' },
        ),
        act: press('Change password'),
      },
      'session/expired-session-dialog.tsx check': {
        at: '/account',
        // Without a password, one signs in elsewhere.
        open: async (on) => {
          let isExpired = false;
          const expire = (route: Route) => route.fulfill({ status: 401, json: { error: 'UNAUTHORIZED' } });
          await on.route('**/v1/auth/me', (route) =>
            isExpired ? expire(route) : route.fulfill({ json: me }),
          );
          await on.reload();
          await fill({ Name: 'Ada Byron' })(on);
          isExpired = true;
          await press('Change name')(on);
          // Before that, the page itself asks whether the session has expired.
          await on.getByRole('dialog').waitFor();
        },
        act: inDialog('I have signed in'),
        takes: /^GET \/auth\/me/,
        response: me,
      },
    });
    // Each of these ends what the next ones need.
    const guest = await owner.addMember('member', 'Grace Hopper');
    const leaving = await guest.open('settings', { expects });
    await walk(
      leaving,
      {
        'settings/workspace/general-page.tsx leave': {
          at: 'settings',
          act: confirmed('Leave workspace', 'Leave'),
        },
        'app/user-menu.tsx useDensity': {
          at: '/account',
          act: opening(
            /^Account of/,
            (on) => on.getByRole('button', { name: 'Compact rows', exact: true }),
            (row) => row.click(),
          ),
        },
        'app/user-menu.tsx language': {
          at: '/account',
          act: opening(
            /^Account of/,
            (on) => on.getByRole('combobox', { name: 'Language' }),
            (select) => select.selectOption('Deutsch'),
          ),
          until: async (on) => {
            await on.locator('html[lang=de]').waitFor();
            await on.evaluate(() => localStorage.clear());
          },
        },
        'app/user-menu.tsx signOut': {
          at: '/account',
          act: opening(
            /^Account of/,
            (on) => on.getByRole('button', { name: 'Sign out', exact: true }),
            (out) => out.click(),
          ),
        },
      },
      guest,
    );
    const deleting = await other.open('settings', { expects });
    const { name } = await other.call('GET', `/workspaces/${other.workspaceId}`);
    await walk(
      deleting,
      {
        'settings/workspace/delete-workspace.tsx remove': {
          at: 'settings',
          open: fill({ [`Type ${name} to confirm`]: name }, press('Delete workspace')),
          act: inDialog('Delete for good'),
        },
      },
      other,
    );
  });

  it('on the pages for visitors', async () => {
    const owner = await app.signUp();
    const invited = await app.signUp();
    const { url } = await owner.call('POST', '/invitations', { role: 'viewer', email: invited.email });
    const page = await app.visit('/sign-in', { expects });
    await offerEverything(page);
    await walk(page, {
      'auth/sign-up-form.tsx signUp': {
        at: '/sign-up',
        open: fill({ 'Your name': 'Ada', 'E-mail': 'a@example.com', Password: 'x'.repeat(12) }),
        act: press('Create account'),
        without: ['401'],
        response: {},
      },
      'auth/forgot-password-page.tsx request': {
        at: '/forgot-password',
        open: fill({ 'E-mail': 'a@example.com' }),
        act: press('Send the link'),
        response: {},
      },
      'auth/reset-password-page.tsx reset': {
        at: '/reset-password#token',
        open: fill({ 'New password': 'x'.repeat(12) }),
        act: press('Change password'),
        response: {},
      },
      'auth/mailed-link-pages.tsx confirm': {
        at: '/confirm-email#token',
        act: press('Use this address'),
        response: {},
      },
      'auth/mailed-link-pages.tsx unsubscribe': {
        at: '/unsubscribe#token',
        act: press('Unsubscribe'),
        response: {},
      },
      'session/passkey-sign-in.tsx signIn': {
        at: '/sign-in',
        act: press('Sign in with a passkey'),
        response: { options: {} },
      },
      'session/sign-in-form.tsx signIn': {
        at: '/sign-in',
        open: fill({ 'E-mail': invited.email, Password: invited.password }),
        act: press('Sign in'),
      },
      'auth/join-page.tsx accept': { at: new URL(url).pathname + new URL(url).hash, act: press('Join') },
    });
  });

  it('on the pages of workflows, and on the canvas', async () => {
    const owner = await app.signUp();
    const drawn = await drawWorkflow(owner, ['Plan', 'Build', 'Ship'], ['Plan>Build', 'Build>Ship']);
    const ofNode = { at: `${drawn.path}?node=${drawn.ids['Plan']}` };
    const inThread = async (on: Page) => on.getByRole('tab', { name: 'Discussion' }).click();
    const onCanvas = { at: drawn.path };
    const onMessage = answering({ ...ofNode, open: inThread });
    // The canvas repeats these by itself; the first control has them all.
    const passing = ['offline', '429', '500', '503'];
    const page = await owner.open('settings', { expects });
    await walk(
      page,
      {
        'workflows/workflow-dialog.tsx save': {
          at: 'workflows#new',
          open: fill({ Title: 'Launch' }),
          act: inDialog('Create workflow'),
        },
        'workflows/workflow-dialog.tsx save, to rename': {
          at: 'workflows',
          open: fill({ Title: 'Liftoff' }, pressMore('Rename', 'Launch')),
          act: inDialog('Save'),
        },
        'workflows/workflow-list-page.tsx remove': {
          at: 'workflows',
          act: confirmed(pressMore('Delete', 'Liftoff'), 'Delete workflow'),
        },
        'threads/thread.tsx post': {
          ...ofNode,
          open: async (on) => {
            await inThread(on);
            await press('Write a message')(on);
            await on.getByLabel('New message, in Markdown').fill('Ahoy');
          },
          act: press('Post'),
        },
        'threads/thread-message.tsx save': {
          ...ofNode,
          open: async (on) => {
            await inThread(on);
            await pressMore('Edit', OF_MESSAGE)(on);
            await on.getByLabel('Message, in Markdown', { exact: true }).fill('Ahoy there');
          },
          act: press('Save'),
        },
        'threads/thread-message.tsx react': onMessage.react,
        'thread: take back': onMessage['take back'],
        'threads/thread-message.tsx resolve': onMessage.resolve,
        'thread: reopen': onMessage.reopen,
        'threads/thread-message.tsx remove': {
          ...ofNode,
          open: inThread,
          act: confirmed(pressMore('Delete', OF_MESSAGE), 'Delete message'),
        },
        'canvas: move': { ...ofNode, act: press('Move down'), repeatsItself: passing },
        'canvas: save the form of a node': {
          ...ofNode,
          open: fill({ Title: 'Draw' }),
          act: press('Save'),
          // It merges the other version, and saves again.
          without: [...passing, '412'],
        },
        'board: move': {
          at: `${drawn.path}?board=true`,
          act: pressMore('Move to Done', 'Draw'),
          without: passing,
        },
        'canvas: add a node': {
          ...onCanvas,
          act: async (on) => {
            await press('Add node')(on);
            await on.getByRole('menuitem', { name: 'Task' }).click();
          },
          without: passing,
        },
        'canvas: arrange': {
          ...onCanvas,
          act: async (on) => {
            await press('Arrange')(on);
            await on.getByRole('menuitem', { name: 'From left to right' }).click();
          },
          without: passing,
        },
        'canvas: acyclic': {
          ...onCanvas,
          act: (on) => on.getByRole('switch', { name: 'Acyclic' }).click(),
          without: passing,
        },
        'canvas: delete an edge': {
          ...onCanvas,
          act: async (on) => {
            await edge(on, 'Build', 'Ship').focus();
            await on.keyboard.press('Delete');
          },
          without: passing,
        },
        'canvas: connect': {
          ...onCanvas,
          act: async (on) => {
            const from = node(on, 'Build').locator('.react-flow__handle.source');
            await from.dragTo(node(on, 'Ship').locator('.react-flow__handle.target'));
          },
          without: passing,
        },
        'canvas: delete a node': {
          ...onCanvas,
          act: async (on) => {
            await node(on, 'Ship').focus();
            await on.keyboard.press('Delete');
            await inDialog('Delete node')(on);
          },
          without: passing,
        },
      },
      owner,
    );
  });
});

it('the walk knows each control of the code', () => {
  const { controls, changes } = controlsInCode();
  const unknown = {
    controls: controls.filter((name) => !known.has(name)),
    changes: changes.filter((name) => !seen.has(name)),
  };
  expect(unknown).toEqual(IN_BACKGROUND);
});
