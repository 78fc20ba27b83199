/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { focused, signIn, useConsole } from './support/index.ts';

const app = useConsole();

it('a session begins at the page that the visitor requested, never on another site, and ends with sign-out', async () => {
  const owner = await app.signUp();
  const wanted = `/w/${owner.workspaceId}/workflows`;
  const page = await app.visit(wanted);
  await signIn(page, owner);
  await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(wanted);
  await page.evaluate(() => sessionStorage.setItem('waymark.recent.somewhere', '[]'));
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.waitForFunction(() => sessionStorage.getItem('waymark.recent.somewhere') === null);
  await page.goto(wanted);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  // The list was refused before the session began.
  await page.goto(`/w/${owner.workspaceId}/decisions`);
  await signIn(page, owner);
  await page.getByText('No decisions yet').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.goto('/sign-in?back=%2F%2Fevil.example%2F');
  await signIn(page, owner);
  await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
  expect(new URL(page.url()).origin).toBe(app.product.url);
});

it('a session of another user from another tab shows no data of the previous user', async () => {
  const [mira, jonas] = [await app.signUp('Mira'), await app.signUp('Jonas')];
  const page = await app.visit('/', mira);
  await page.getByRole('button', { name: 'Account of Mira' }).waitFor();
  await page.evaluate(() => sessionStorage.setItem('waymark.recent.somewhere', '[]'));
  const other = await page.context().newPage();
  await other.goto('/sign-in');
  await signIn(other, jonas);
  await page.bringToFront();
  await page.waitForURL(`**/w/${jonas.workspaceId}/decisions`);
  await page.getByRole('button', { name: 'Account of Jonas' }).waitFor();
  await page.waitForFunction(() => sessionStorage.getItem('waymark.recent.somewhere') === null);
});

it('a session needs no second sign-in when a request from before the first is refused late', async () => {
  const owner = await app.signUp();
  const page = await owner.open('decisions');
  await page.getByText('No decisions yet').waitFor();
  const { promise: refused, resolve } = Promise.withResolvers<() => Promise<void>>();
  await page.route(
    `**/v1/workspaces/${owner.workspaceId}`,
    async (route) => {
      const response = await route.fetch();
      resolve(() => route.fulfill({ response }));
    },
    { times: 1 },
  );
  await page.context().clearCookies();
  // The stream of events starts again and is refused. The answer to the request that asks why is held back.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const answer = await refused;
  // Without the mouse, which the dialog stops if the list was read again.
  await page.getByRole('link', { name: 'Workflows' }).dispatchEvent('click');
  const dialog = page.getByRole('dialog', { name: 'Your session has expired' });
  await focused(dialog.getByLabel(/^Password/));
  await dialog.getByLabel(/^Password/).fill(owner.password);
  const readAgain = page.waitForResponse((response) => response.url().endsWith('/me') && response.ok());
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await readAgain;
  const asked = page.waitForResponse('**/v1/auth/me');
  await answer();
  expect((await asked).status()).toBe(200);
  expect([await dialog.count(), await page.getByRole('alert').count()]).toEqual([0, 0]);
  await page.getByRole('link', { name: 'Decisions' }).click();
  await page.getByText('No decisions yet').waitFor();
});
