import http from 'node:http';
import { afterAll, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { render } from '../services/accounts/src/mail/render.ts';
import { smtpSender } from '../services/accounts/src/mail/smtp.ts';
import { startMailPage } from './mail-page.ts';

const page = await startMailPage();
afterAll(() => page.stop());

it('shows the mails of a product with their links, and their text as text', async () => {
  expect(await (await fetch(page.url)).text()).toContain('No mail so far');
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = page.env;
  const send = smtpSender({ smtpUrl, from });
  const text = 'Zoë <script>alert(1)</script> opens http://localhost:8080/join#wmi_x-y';
  await send({ id: '1', to: 'zoe@example.com', ...render({ subject: 'Für Zoë', paragraphs: [text] }, 'de') });
  const shown = await eventually(async () => {
    const body = await (await fetch(page.url)).text();
    expect(body).toContain('zoe@example.com');
    return body;
  });
  expect(shown).toContain('<h2>Für Zoë</h2>');
  expect(shown).toMatch(/<p>\d.*, from Waymark &lt;waymark@localhost&gt; to zoe@example\.com<\/p>/);
  expect(shown).toContain('<a href="http://localhost:8080/join#wmi_x-y">');
  expect(shown).toContain('<pre>Zoë &lt;script&gt;');
  expect(shown).toMatch(/<iframe sandbox="allow-popups[^"]*" title="HTML" srcdoc="[^"<>]*Zoë &amp;lt;script/);
});

it('does not answer under the name of another site', async () => {
  const status = await new Promise((resolve) => {
    const { port } = new URL(page.url);
    const headers = { host: `evil.example:${port}` };
    http.get({ host: '127.0.0.1', port, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
  expect(status).toBe(403);
});
