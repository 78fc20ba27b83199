/// <reference lib="dom" />
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useConsole } from './support/use-console.ts';

const app = useConsole();
let server: http.Server;
let port: number;

beforeAll(async () => {
  server = http.createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>You have won</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('a page of another origin in the browser of a signed-in user', () => {
  // A browser treats another port as the same site and sends the cookie. It treats another host as another
  // site.
  it.each(['127.0.0.1', 'localhost'])('on %s cannot read or change anything', async (host) => {
    const owner = await app.product.signUp();
    const { workspaceId, cookie } = owner;
    const attacker = `http://${host}:${port}`;
    // This page causes faults on purpose.
    const page = await app.visit(`${attacker}/`, { cookie, expects: /./ });
    const target = { api: `${app.product.url}/v1`, workspaceId };

    const seen = await page.evaluate(async ({ api, workspaceId: id }) => {
      const attempt = (path: string, init: RequestInit) =>
        fetch(api + path, { credentials: 'include', ...init }).then(
          (answer) => `${answer.type} ${answer.status}`,
          () => 'no answer',
        );
      const body = JSON.stringify({ name: 'Stolen' });
      const json = { 'content-type': 'application/json' };
      return [
        await attempt(`/workspaces/${id}`, {}),
        await attempt(`/workspaces/${id}`, { method: 'PATCH', headers: json, body }),
        await attempt(`/workspaces/${id}`, { method: 'DELETE' }),
        await attempt('/workspaces', { method: 'POST', mode: 'no-cors', body }),
        await attempt('/auth/sign-out', { method: 'POST', mode: 'no-cors' }),
      ];
    }, target);
    expect(seen).toEqual(seen.map(() => 'no answer'));

    const answered = page.waitForResponse(`${target.api}/workspaces`);
    await page.evaluate(({ api }) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: `${api}/workspaces`, enctype: 'text/plain' });
      // The browser sends it as {"name":"Stolen","also":"="}.
      const input = Object.assign(document.createElement('input'), { name: '{"name":"Stolen","also":"' });
      input.value = '"}';
      form.append(input);
      document.body.append(form);
      form.submit();
    }, target);
    const answer = await answered;
    const { cookie: sent } = await answer.request().allHeaders();
    expect({ sent, status: answer.status() }).toEqual(
      host === '127.0.0.1' ? { sent: cookie, status: 403 } : { sent: undefined, status: 401 },
    );

    const { status, body } = await app.product.call('GET', '/auth/me', { cookie });
    expect(status).toBe(200);
    expect(body.workspaces).toHaveLength(1);
    expect(body.workspaces[0].name).not.toBe('Stolen');
  });
});

describe('a stolen cookie', () => {
  it('is invalid after sign-out, in a new page and in an open page', async () => {
    const owner = await app.product.signUp();
    const stolen = await app.visit(`/w/${owner.workspaceId}/decisions`, { cookie: owner.cookie });
    await stolen.getByText('No decisions yet').waitFor();
    const own = await app.visit('/account', { cookie: owner.cookie });
    await own.getByRole('button', { name: /^Account of/ }).click();
    await own.getByRole('button', { name: 'Sign out', exact: true }).click();
    await own.getByRole('heading', { name: 'Sign in' }).waitFor();
    // Without the mouse, which the dialog stops if the stream of events was refused before.
    await stolen.getByRole('link', { name: 'Workflows' }).dispatchEvent('click');
    await stolen.getByRole('dialog', { name: 'Your session has expired' }).waitFor();
    await stolen.goto(`/w/${owner.workspaceId}/settings`);
    await stolen.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('is invalid after the password was changed in another browser', async () => {
    const owner = await app.product.signUp();
    const { email, password } = owner;
    const elsewhere = await app.product.call('POST', '/auth/sign-in', { body: { email, password } });
    const cookie = elsewhere.cookies[0]!.split(';')[0]!;
    const stolen = await app.visit(`/w/${owner.workspaceId}/decisions`, { cookie });
    await stolen.getByText('No decisions yet').waitFor();
    const own = await app.visit('/account', { cookie: owner.cookie });
    await own.getByLabel('Current password').fill(password);
    await own.getByLabel('New password').fill('four unrelated words here');
    await own.getByRole('button', { name: 'Change password' }).click();
    await own.getByText('Your password is changed').waitFor();
    await stolen.getByRole('link', { name: 'New decision' }).first().dispatchEvent('click');
    await stolen.getByRole('dialog', { name: 'Your session has expired' }).waitFor();
  });
});
