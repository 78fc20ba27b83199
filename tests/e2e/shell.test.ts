/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { checkAccessible, focused, useConsole } from './support/index.ts';

const app = useConsole();

it('the shell switches workspaces by keyboard, keeps the color scheme, and reports unknown addresses', async () => {
  const [owner, stranger] = [await app.signUp(), await app.signUp()];
  const second = await owner.call('POST', '/workspaces', { name: 'Second workspace' });
  const page = await app.visit('/', owner);
  await page.getByText('No decisions yet').waitFor();
  await page.keyboard.press('Tab');
  await focused(page.getByRole('link', { name: 'Skip to content' }));
  for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /Second workspace/ }).waitFor();
  await checkAccessible(page);
  await page.getByRole('link', { name: /Second workspace/ }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/w/${second.id}/decisions`);
  await page.getByRole('button', { name: 'Second workspace' }).waitFor();
  await page.goto('/');
  await page.waitForURL(`**/w/${second.id}/decisions`);

  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Use dark colors' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Use light colors' }).waitFor();
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');

  // A small screen has a menu button instead of the navigation.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await page.getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Open navigation' }).waitFor();

  const nothing = page.getByText('There is nothing at this address');
  await page.goto(`/w/${stranger.workspaceId}/decisions`);
  await nothing.waitFor();
  // An address that does not exist has the frame, with its ways on.
  for (const address of [`/w/${second.id}/settings/nowhere`, '/nowhere/at/all']) {
    await page.goto(address);
    await nothing.waitFor();
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Decisions' }).click();
    await page.waitForURL(`**/w/${second.id}/decisions`);
  }
  await page.goto(`/w/${second.id}`);
  await page.waitForURL(`**/w/${second.id}/decisions`);
});

it('the focus stays on a button whose request disables it, or goes to the heading if the button is gone', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Where to build', { rationale: 'It is dry there.' });
  await owner.call('DELETE', `/decisions/${await owner.decide('Where to sail')}`);
  const page = await owner.open(`decisions/${id}`);
  await page.getByRole('button', { name: 'Accept' }).focus();
  await page.keyboard.press('Enter');
  await focused(page.getByRole('button', { name: 'Log outcome' }));
  await page.getByRole('button', { name: 'Approve', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Your verdict is recorded.').waitFor();
  await focused(page.getByRole('button', { name: 'Approve', exact: true }));
  await page.goto(`/w/${owner.workspaceId}/trash`);
  await page.getByRole('button', { name: 'Restore Where to sail' }).focus();
  await page.keyboard.press('Enter');
  await focused(page.getByRole('heading', { name: 'Trash', level: 1 }));
});

it('a part that does not load leaves the page as it is', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Where to build', { rationale: 'It is **dry** there.' });
  const page = await owner.open('decisions', { isNewProfile: true, expects: /./ });
  await page.getByRole('link', { name: 'Where to build' }).waitFor();
  await page.route(/assets\/(search-dialog|rendered-markdown|thread-|message-editor)/, (route) =>
    route.abort(),
  );
  const alert = page.getByRole('alert').filter({ hasText: 'A part of Waymark did not load' });
  await page.keyboard.press('Control+k');
  await alert.waitFor();
  expect(await alert.evaluate((one) => getComputedStyle(one).backgroundColor)).toMatch(/^rgb\(/);
  await alert.getByRole('button', { name: 'Dismiss' }).click();
  await alert.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Where to build' }).click();
  await page.waitForURL(`**/decisions/${id}`);
  // A part of the page has it in its place; at the top it would cover the page, and could not be dismissed.
  await page.getByRole('region', { name: 'Discussion' }).filter({ has: alert }).waitFor();
  const heading = await page.getByRole('heading', { name: 'Discussion' }).boundingBox();
  expect((await alert.boundingBox())!.y).toBeGreaterThan(heading!.y);
  await page.getByText('It is **dry** there.').waitFor();
  await page.getByRole('button', { name: 'Accept' }).waitFor();
});

it('a console that was open during an upgrade reloads for a page whose file is gone', async () => {
  const owner = await app.signUp();
  const page = await owner.open('decisions', { isNewProfile: true, expects: /insight-page/ });
  await page.getByText('No decisions yet').waitFor();
  let isReloaded = false;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isReloaded = true;
  });
  await page.route(/assets\/insight-page/, (route) =>
    isReloaded ? route.continue() : route.fulfill({ status: 404 }),
  );
  await page.getByRole('link', { name: 'Insight' }).click();
  await page.getByRole('heading', { name: 'Insight', level: 1 }).waitFor();
  expect(isReloaded).toBe(true);
  await page.getByText('No connection').waitFor({ state: 'detached' });
});

it('the shell tells a removed member that the workspace is not available', async () => {
  const owner = await app.signUp();
  const member = await owner.addMember('member', 'Mark Member');
  const page = await member.open('decisions', { ownClock: true });
  await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
  await owner.call('DELETE', `/members/${member.memberId}`);
  // When the tab is shown again after a while, the page checks the session.
  await page.clock.setFixedTime(Date.now() + 120_000);
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await page.getByText('There is nothing at this address').waitFor();
  await page.getByRole('link', { name: 'Go to your workspace' }).click();
  await page.waitForURL(`**/w/${member.homeId}/decisions`);
});

it('the shell says that there is no connection, and opens the page when it is back', async () => {
  const owner = await app.signUp();
  const page = await owner.open('decisions', { isNewProfile: true, expects: /./ });
  await page.getByText('No decisions yet').waitFor();
  await page.context().setOffline(true);
  const banner = await page.getByText('No connection.').boundingBox();
  // It covers nothing.
  const search = await page.getByRole('button', { name: 'Search' }).boundingBox();
  expect(banner!.y + banner!.height).toBeLessThanOrEqual(search!.y);
  const insight = page.getByRole('link', { name: 'Insight' });
  await insight.click();
  await page.getByText('No connection.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Insight', level: 1 }).waitFor();
  await page.getByText('No connection.').waitFor({ state: 'detached' });
  // With its style sheet: the rules of one that failed cannot be read.
  await page.waitForFunction(() => {
    const own = [...document.styleSheets].find(({ href }) => href?.includes('insight-page'));
    try {
      return own!.cssRules.length > 0;
    } catch {
      return false;
    }
  });
});

it('a part of a page that is not loaded yet waits for the connection, and opens without a reload', async () => {
  const owner = await app.signUp();
  await owner.decide('Where to build');
  const page = await owner.open('decisions', { isNewProfile: true, expects: /./ });
  await page.getByRole('link', { name: 'Where to build' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Board', exact: true }).click();
  await page.keyboard.press('Control+k');
  await page.getByText('No connection.').waitFor();
  await page.context().setOffline(false);
  const search = page.getByRole('dialog', { name: 'Search' });
  await search.waitFor();
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  await page.locator('.board').getByRole('link', { name: 'Where to build' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

it.each(['en-GB', 'de-DE'])('on a phone, that message covers no button, in %s', async (locale) => {
  const owner = await app.signUp();
  const page = await owner.open('decisions', { width: 360, locale, isNewProfile: true, expects: /./ });
  const button = page.locator('.shell-header button').first();
  await button.waitFor();
  await page.context().setOffline(true);
  const banner = await page.locator('.offline-banner:not(:empty)').boundingBox();
  expect(banner!.y + banner!.height).toBeLessThanOrEqual((await button.boundingBox())!.y);
});

it('a page that a link opens has the focus on its heading', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Raise the quay');
  const page = await owner.open('decisions');
  await page.getByRole('link', { name: 'Raise the quay' }).click();
  await focused(page.getByRole('heading', { name: 'Raise the quay', level: 1 }));
  await page.getByRole('link', { name: 'All decisions' }).click();
  await focused(page.getByRole('heading', { name: 'Decisions', level: 1 }));
  await page.goto(`/w/${owner.workspaceId}/decisions/${id}`);
  await page.getByRole('heading', { name: 'Raise the quay', level: 1 }).waitFor();
  await focused(page.locator('body'));
});

it('states are visible in forced colors, and a printed decision has no controls', async () => {
  const owner = await app.signUp();
  const fields = { rationale: 'It floods', decisionType: 'site', tags: ['harbour'] };
  const page = await owner.open(`decisions/${await owner.decide('Raise the quay', fields)}`);
  await page.emulateMedia({ forcedColors: 'active' });
  const styleOf = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  await page.getByRole('heading', { name: 'Quality' }).waitFor();
  expect(await styleOf('.place[aria-current="page"]', 'outline-style')).toBe('solid');
  expect(await styleOf('.mantine-Progress-root', 'border-top-style')).toBe('solid');
  await page.emulateMedia({ forcedColors: 'none', media: 'print' });
  for (const printed of ['It floods', 'site', '#harbour'])
    expect(await page.getByText(printed, { exact: true }).isVisible()).toBe(true);
  for (const hidden of [page.locator('header'), page.locator('nav'), page.locator('main button').first()])
    expect(await hidden.isVisible()).toBe(false);
});
