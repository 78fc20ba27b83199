import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import type { Page } from 'playwright-core';
import { violationsAtEachWidth } from './support/check-accessible.ts';
import { focusedInDialog } from './support/focused-in-dialog.ts';
import { entrance, fillWorkspace, type Screen, show } from './support/screens.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

const docs: Screen[] = ['/docs', '/docs/quickstart', '/docs/reference', '/docs/reference/webhooks'].map(
  (path) => ({ path, shown: 'main h1' }),
);

async function violationsOf(page: Page, screens: Screen[]): Promise<string[]> {
  const found: string[] = [];
  for (const screen of screens) {
    await show(page, screen);
    found.push(...(await violationsAtEachWidth(page)).map((violation) => `${screen.path}, ${violation}`));
  }
  return found;
}

describe('axe finds nothing in both themes, on a phone and on a desktop,', () => {
  it('on pages for everyone', async () => {
    expect(await violationsOf(await app.visit('/sign-in'), [...entrance, ...docs])).toEqual([]);
  });

  it('on the pages of a workspace', async () => {
    const { cookie, screens } = await fillWorkspace(app.product);
    const all = [...screens, { path: '/nowhere', shown: 'h1' }];
    expect(await violationsOf(await app.visit('/account', { cookie }), all)).toEqual([]);
  });
});

describe('a dialog', () => {
  const sources = join(findRepositoryRoot(), 'apps/console/src');
  /** Each file with a dialog: what has the focus first, and the page with the steps that open it. */
  const dialogs: Record<string, [focus: string, path: string, open: (page: Page) => Promise<unknown>]> = {
    'decisions/list/tag-dialog.tsx': [
      'Tag',
      'decisions',
      async (page) => {
        await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
        await page.getByRole('button', { name: 'Tag', exact: true }).click();
      },
    ],
    'decisions/page/outcome-dialog.tsx': ['Outcome', 'decisions/$decision', click('Log outcome')],
    'search/search-dialog.tsx': ['Search', 'decisions', click(/^Search/)],
    'search/shortcuts-dialog.tsx': [
      'Single keys work as shortcuts',
      'decisions',
      (page) => page.keyboard.press('?'),
    ],
    'settings/api-keys/new-key-dialog.tsx': ['Name', 'settings/api-keys', click('Create a key')],
    'settings/api-keys/new-service-account-dialog.tsx': [
      'Name',
      'settings/api-keys',
      click('Create a service account'),
    ],
    'settings/api-keys/rotate-key-dialog.tsx': [
      'How long the old key continues to work',
      'settings/api-keys',
      click(/^Rotate/),
    ],
    'settings/members/invitation-dialog.tsx': ['Email', 'settings/members', click('Invite by link')],
    'settings/workspace/delete-workspace.tsx': ['Type', 'settings', click('Delete workspace')],
    'ui/dialog/confirm-dialog.tsx': ['Cancel', 'decisions/$decision', click('Delete')],
    'webhooks/deliveries/replay-dialog.tsx': ['Which', 'webhooks/$webhook', click('Replay deliveries')],
    'webhooks/endpoints/edit-endpoint-dialog.tsx': ['Address', 'webhooks/$webhook', click('Edit')],
    'webhooks/endpoints/new-endpoint-dialog.tsx': ['Address', 'webhooks', click(/^Add/)],
    'webhooks/endpoints/rotate-secret-dialog.tsx': ['Cancel', 'webhooks/$webhook', click('Rotate secret')],
    'webhooks/endpoints/test-dialog.tsx': ['Event', 'webhooks/$webhook', click('Send a test')],
    'workflows/connect-dialog.tsx': [
      'To',
      'workflows/$workflow',
      (page) => page.locator('.react-flow__node').first().press('c'),
    ],
    'workflows/workflow-dialog.tsx': ['Title', 'workflows', click('New workflow')],
  };
  /** Other tests have what these need: a device, another person, a session that ends. */
  const elsewhere: Record<string, string> = {
    'session/expired-session-dialog.tsx': 'workflows-together.test.ts',
    'settings/account/passkey-dialog.tsx': 'sign-in-without-password.test.ts',
    'workflows/panel/conflict-dialog.tsx': 'workflows-together.test.ts',
  };

  it('gives the focus to its first field or its safest button, not to the one that closes it', async () => {
    const { cookie, workspaceId } = await fillWorkspace(app.product);
    const first = async (list: string) => {
      const { body } = await app.product.call('GET', `/${list}?workspaceId=${workspaceId}`, { cookie });
      return (Object.values(body).find(Array.isArray) as { id: string }[])[0]!.id;
    };
    const ids: Record<string, string> = {
      $decision: await first('decisions'),
      $webhook: await first('webhooks'),
      $workflow: await first('workflows'),
    };
    const page = await app.visit('/waymark.svg', { cookie });
    const found: [string, string][] = [];
    for (const [file, [, path, open]] of Object.entries(dialogs)) {
      await page.goto('about:blank');
      await page.goto(`/w/${workspaceId}/${path.replace(/\$\w+/, (name) => ids[name]!)}`);
      await page.locator('main h1').waitFor();
      await open(page);
      found.push([file, await focusedInDialog(page)]);
    }
    const expected = Object.entries(dialogs).map(([file, [focus]]) => [file, expect.stringContaining(focus)]);
    expect(found).toEqual(expected);
  });

  it('is in the list above, or in the test that can open it', () => {
    const files = globSync('**/*.tsx', { cwd: sources }).filter((file) =>
      /<(Secret)?Dialog(Content)?\b/.test(readFileSync(join(sources, file), 'utf8')),
    );
    const shared = ['ui/dialog/dialog.tsx', 'ui/dialog/secret-dialog.tsx'];
    expect(files.sort()).toEqual([...shared, ...Object.keys({ ...dialogs, ...elsewhere })].sort());
    for (const file of Object.values(elsewhere)) {
      expect(readFileSync(join(import.meta.dirname, file), 'utf8')).toContain('focusedInDialog(');
    }
  });
});

function click(name: string | RegExp) {
  return (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
}
