import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violationsAtEachWidth } from './support/check-accessible.ts';
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
  }, 240_000);

  it('on the pages of a workspace', async () => {
    const { cookie, screens } = await fillWorkspace(app.product);
    const all = [...screens, { path: '/nowhere', shown: 'h1' }];
    expect(await violationsOf(await app.visit('/account', { cookie }), all)).toEqual([]);
  }, 480_000);
});
