import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import type { Page } from 'playwright-core';
import {
  entrance,
  fillWorkspace,
  focusedInDialog,
  openMore,
  pressUntil,
  type Screen,
  show,
  USER_TEXT,
  useConsole,
  violationsAtEachWidth,
} from './support/index.ts';

const app = useConsole();

let filling: ReturnType<typeof fillWorkspace> | undefined;
const filled = () => {
  filling ??= fillWorkspace(app);
  return filling;
};

async function violationsOf(page: Page, screens: Screen[]): Promise<string[]> {
  const found: string[] = [];
  for (const screen of screens) {
    await show(page, screen);
    found.push(...(await violationsAtEachWidth(page)).map((violation) => `${screen.path}, ${violation}`));
  }
  return found;
}

it('axe finds nothing in both themes, on a phone and on a desktop, on pages for everyone', async () => {
  expect(await violationsOf(await app.visit('/sign-in'), entrance)).toEqual([]);
});

it('axe finds nothing in both themes, on a phone and on a desktop, on the pages of a workspace', async () => {
  const { owner, screens } = await filled();
  // Dialogs come below.
  const pages = screens.filter(({ path }) => !path.endsWith('#new'));
  const all = [...pages, { path: '/nowhere', shown: 'h1' }];
  expect(await violationsOf(await app.visit('/account', owner), all)).toEqual([]);
});

const sources = join(findRepositoryRoot(), 'apps/console/src');

describe('a dialog', () => {
  type Dialog = [file: string, focus: string, open: (page: Page) => Promise<unknown>];
  /** The dialogs of each page: the file, what has the focus first, and the steps that open it. */
  const dialogs: Record<string, Dialog[]> = {
    decisions: [
      [
        'search/shortcuts-dialog.tsx',
        'Single keys work as shortcuts',
        (page) => pressUntil('?', page.getByRole('dialog')),
      ],
      ['search/search-dialog.tsx', 'Search', click(/^Search/)],
      [
        'decisions/list/tag-dialog.tsx',
        'Tag',
        async (page) => {
          await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
          await click('Tag')(page);
        },
      ],
    ],
    decision: [
      ['decisions/page/outcome-dialog.tsx', 'Outcome', click('Log outcome')],
      ['decisions/page/review-dialog.tsx', 'Does it still hold?', click('Review')],
      ['decisions/page/forecast-dialog.tsx', 'Chance of success, in percent', click('Give your forecast')],
      ['decisions/page/objection-dialog.tsx', 'What would have to change?', click('Object')],
      ['decisions/page/approval-request-dialog.tsx', USER_TEXT, click('Ask for approval')],
      ['ui/dialog/confirm-dialog.tsx', 'Cancel', clickMore('Delete')],
    ],
    'settings/api-keys': [
      ['settings/api-keys/new-key-dialog.tsx', 'Name', click('Create a key')],
      ['settings/api-keys/new-service-account-dialog.tsx', 'Name', click('Create a service account')],
      [
        'settings/api-keys/rotate-key-dialog.tsx',
        'How long the old key continues to work',
        clickMore('Rotate', /^More actions/),
      ],
    ],
    'settings/members': [['settings/members/invitation-dialog.tsx', 'E-mail', click('Invite by link')]],
    settings: [['settings/workspace/delete-workspace.tsx', 'Type', click('Delete workspace')]],
    webhook: [
      ['webhooks/deliveries/replay-dialog.tsx', 'Which', click('Replay deliveries')],
      ['webhooks/endpoints/edit-endpoint-dialog.tsx', 'Sends', click('Edit')],
      ['webhooks/endpoints/rotate-secret-dialog.tsx', 'Cancel', clickMore('Rotate secret')],
      ['webhooks/endpoints/test-dialog.tsx', 'Event', click('Send a test')],
    ],
    webhooks: [['webhooks/endpoints/new-endpoint-dialog.tsx', 'Sends', click(/^Add/)]],
    workflow: [
      ['workflows/connect-dialog.tsx', 'To', (page) => page.locator('.react-flow__node').last().press('c')],
    ],
    workflows: [['workflows/workflow-dialog.tsx', 'Title', click('New workflow')]],
  };
  /** Other tests have what these need: a device, another person, a session that ends. */
  const elsewhere: Record<string, string> = {
    'decisions/list/status-dialog.tsx': 'decisions-list.test.ts',
    'session/expired-session-dialog.tsx': 'workflows-together.test.ts',
    'settings/account/passkey-dialog.tsx': 'sign-in-without-password.test.ts',
    'settings/account/set-up-dialog.tsx': 'second-factor.test.ts',
  };

  it('gives the focus to its first field or its safest button, and axe finds nothing in it', async () => {
    const { owner, paths } = await filled();
    const page = await owner.open('settings');
    const found: [string, string][] = [];
    const violations: string[] = [];
    for (const [name, list] of Object.entries(dialogs)) {
      await page.goto(`/w/${owner.workspaceId}/${paths[name] ?? name}`);
      await page.locator('main h1').waitFor();
      for (const [file, , open] of list) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await open(page);
        found.push([file, await focusedInDialog(page)]);
        violations.push(...(await violationsAtEachWidth(page)).filter(isRequired));
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    }
    const expected = Object.values(dialogs).flat();
    expect(found).toEqual(expected.map(([file, focus]) => [file, expect.stringContaining(focus)]));
    expect(violations).toEqual([]);
  });

  it('is in the list above, or in the test that can open it', () => {
    const files = filesWith(/<((Secret|Form)?Dialog|DialogContent)\b/);
    const shared = ['ui/dialog/dialog.tsx', 'ui/dialog/form-dialog.tsx', 'ui/dialog/secret-dialog.tsx'];
    const opened = Object.values(dialogs).flatMap((list) => list.map(([file]) => file));
    expect(files).toEqual([...shared, ...opened, ...Object.keys(elsewhere)].sort());
    for (const file of Object.values(elsewhere)) {
      expect(readFileSync(join(import.meta.dirname, file), 'utf8')).toContain('focusedInDialog(');
    }
  });
});

describe('a menu', () => {
  type Menu = [file: string, page: string, open: (page: Page) => Promise<unknown>];
  const menus: Menu[] = [
    [
      'decisions/list/bulk-bar.tsx',
      'decisions',
      async (page) => {
        await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
        await click('Set status')(page);
      },
    ],
    [
      'views/saved-views.tsx',
      'audit',
      async (page) => {
        await click('Views')(page);
        await page.getByLabel('Save this view as').fill(USER_TEXT);
        await click('Save')(page);
        await click(/^Actions for the view/)(page);
      },
    ],
    ['workflows/add-node.tsx', 'workflow', click('Add node')],
    ['workflows/selection-menu.tsx', 'workflow', click('Select')],
    ['workflows/toolbar.tsx', 'workflow', click('Arrange')],
  ];

  it('gives the focus to its first item, and axe finds nothing in it', async () => {
    const { owner, paths } = await filled();
    const page = await owner.open('settings');
    const violations: string[] = [];
    for (const [, name, open] of menus) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`/w/${owner.workspaceId}/${paths[name] ?? name}`);
      await page.locator('main h1, main tbody tr, .react-flow__node').first().waitFor();
      await open(page);
      await page.getByRole('menuitem').first().and(page.locator(':focus')).waitFor();
      violations.push(...(await violationsAtEachWidth(page)));
    }
    expect(violations).toEqual([]);
  });

  it('is in the list above', () => {
    expect(menus.map(([file]) => file).sort()).toEqual(filesWith(/<Menu\b/));
  });
});

/** The list of a field in a dialog stands outside all landmarks, which WCAG allows. */
const isRequired = (violation: string) => !violation.includes(': region,');

/** The components that have such an element. */
function filesWith(element: RegExp): string[] {
  const files = globSync('**/*.tsx', { cwd: sources });
  return files.filter((file) => element.test(readFileSync(join(sources, file), 'utf8'))).sort();
}

function click(name: string | RegExp) {
  return (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
}

function clickMore(name: string, of?: RegExp) {
  return async (page: Page) => {
    await openMore(page, of);
    await click(name)(page);
  };
}
