/// <reference lib="dom" />
import { afterAll, expect, it } from '@jest/globals';
import { answer, startWebhookReceiver } from '@waymark/testing';
import { useConsole } from './support/index.ts';

const app = useConsole();
const attacker = await startWebhookReceiver();
attacker.behave(answer(200, { body: '<!doctype html>', headers: { 'content-type': 'text/html' } }));
afterAll(() => attacker.stop());

// A browser treats another port as the same site and sends the cookie. It treats another host as another
// site.
it.each(['127.0.0.1', 'localhost'])(
  'a page of another origin in the browser of a signed-in user on %s cannot read or change anything',
  async (host) => {
    const { workspaceId, cookie } = await app.signUp();
    // This page causes faults on purpose.
    const page = await app.visit(attacker.url.replace('127.0.0.1', host), { cookie, expects: /./ });
    const target = { api: `${app.product.url}/v1`, workspaceId };

    const seen = await page.evaluate(async ({ api, workspaceId: id }) => {
      const attempt = (path: string, init: RequestInit) =>
        fetch(api + path, { credentials: 'include', ...init }).then(
          (response) => `${response.type} ${response.status}`,
          () => 'no response',
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
    expect(seen).toEqual(seen.map(() => 'no response'));

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
    // 401 without the cookie, 403 with it.
    expect((await answered).status()).toBe(host === '127.0.0.1' ? 403 : 401);

    const { status, body } = await app.product.call('GET', '/auth/me', { cookie });
    expect(status).toBe(200);
    expect(body.workspaces).toHaveLength(1);
    expect(body.workspaces[0].name).not.toBe('Stolen');
  },
);
