import { expect, it } from '@jest/globals';
import { asked, proof, registerProgram, requestToken } from '../support/programs.ts';
import { checkAccessible, useConsole } from './support/index.ts';

const app = useConsole();
/** The program does not run, so that its address answers nothing. */
const expects = /127\.0\.0\.1:33418/;

/** Registers a program, and returns its id with the address that it opens. */
async function register(name: string, given: Record<string, string> = {}) {
  const client_id = await registerProgram(app.product.url, name);
  const { redirectUri: redirect_uri, codeChallenge: code_challenge } = asked;
  const request = { response_type: 'code', client_id, redirect_uri, state: 'the-state' };
  const pkce = { code_challenge, code_challenge_method: 'S256' };
  return { client_id, address: `/authorize?${new URLSearchParams({ ...request, ...pkce, ...given })}` };
}

it('a person lets a program read one workspace, and disconnects it on the page Account', async () => {
  const { cookie } = await app.signUp();
  const { client_id, address } = await register('A <b>program</b>\u202E');
  const page = await app.visit(address, { cookie, expects });
  await page.getByText('“A <b>program</b>”').waitFor();
  await page.getByText('It has registered itself.').waitFor();
  await page.getByText('You return to 127.0.0.1:33418.').waitFor();
  await page.getByRole('combobox', { name: 'Workspace' }).waitFor();
  await page.getByText('It may', { exact: true }).waitFor();
  await page.getByText('at most 180 days').waitFor();
  await checkAccessible(page);
  const returned = page.waitForRequest(/127\.0\.0\.1:33418/);
  await page.getByRole('button', { name: 'Connect' }).click();
  const result = new URL((await returned).url()).searchParams;
  expect([result.get('state'), result.get('iss')]).toEqual(['the-state', app.product.url]);
  const form = { ...proof, client_id, code: result.get('code')! };
  expect((await requestToken(app.product.url, form)).body).toMatchObject({ scope: 'read' });

  const account = await app.visit('/account', { cookie });
  await account.getByRole('button', { name: 'Disconnect A <b>program</b>' }).click();
  await account.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await account.getByText('That program is disconnected.').waitFor();
});

it('a person declines in German', async () => {
  const { cookie } = await app.signUp();
  const { address } = await register('Ein Programm');
  const page = await app.visit(address, { cookie, expects, locale: 'de-DE' });
  const returned = page.waitForRequest(/127\.0\.0\.1:33418/);
  await page.getByRole('button', { name: 'Ablehnen' }).click();
  expect(new URL((await returned).url()).searchParams.get('error')).toBe('access_denied');
});

it.each([
  ['an address of somebody else', { redirect_uri: 'https://evil.example/' }],
  ['an unknown program', { client_id: 'unknown' }],
  ['plain PKCE', { code_challenge_method: 'plain' }],
])('%s gets a page and no redirect', async (_, wrong) => {
  const { cookie } = await app.signUp();
  const { address } = await register('A program', wrong);
  const page = await app.visit(address, { cookie, expects: /400/ });
  await page.getByText('Nothing was allowed.').waitFor();
  expect(new URL(page.url()).origin).toBe(app.product.url);
  expect(await page.getByRole('button', { name: /Connect|Decline/ }).count()).toBe(0);
});
