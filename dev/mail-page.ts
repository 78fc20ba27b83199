import http, { type IncomingMessage } from 'node:http';
import { type CaughtMail, freePort, startMailCatcher } from '@waymark/local-stack';

const STYLE =
  'body{font:16px/1.5 system-ui;max-width:48rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'article{border:1px solid;border-radius:8px;padding:0 1rem;margin:1rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere}' +
  'iframe{width:100%;height:18rem;border:1px solid;background:#fff;color-scheme:light}';

/** Catches the mail of a product on this machine and shows it on a page; `env` is for the product. */
export async function startMailPage() {
  const catcher = await startMailCatcher({ port: await freePort() });
  const server = http.createServer((request, response) => {
    // Another site whose name was pointed at this machine must not read the mail.
    if (!isLocal(request)) return response.writeHead(403).end();
    response
      .writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy':
          "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'",
        'Cache-Control': 'no-store',
      })
      .end(pageOf(catcher.mails));
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    url: `http://localhost:${port}`,
    env: { SMTP_URL: catcher.url, MAIL_FROM: 'Waymark <waymark@localhost>' },
    async stop() {
      server.close();
      server.closeAllConnections();
      await catcher.stop();
    },
  };
}

const isLocal = ({ headers }: IncomingMessage) => /^(localhost|127\.0\.0\.1):\d+$/.test(headers.host ?? '');

function pageOf(mails: readonly CaughtMail[]): string {
  const articles = mails.toReversed().map(articleOf).join('');
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="5">' +
    `<title>Mail · Waymark</title><style>${STYLE}</style><h1>Mail</h1>` +
    '<p>The newest first. Nothing leaves this machine, and a restart forgets all. The page reloads itself.</p>' +
    `${articles || '<p>No mail so far.</p>'}</html>`
  );
}

function articleOf({ at, from, fromName, to, subject, text, html }: CaughtMail): string {
  const linked = escaped(text).replace(/https?:\/\/[^\s<"]+/g, (link) => `<a href="${link}">${link}</a>`);
  const head = `${at.toLocaleString('en', { timeZoneName: 'short' })}, from ${escaped(fromName)} &lt;${escaped(from)}&gt; to ${escaped(to)}`;
  // Without `allow-scripts`, nothing in the mail runs; a link opens in a tab of its own.
  const frame = `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="HTML" srcdoc="${escaped(html.replace('<head>', '<head><base target="_blank">'))}"></iframe>`;
  const parts = `<pre>${linked}</pre>${html && `<details><summary>HTML</summary>${frame}</details>`}`;
  return `<article><h2>${escaped(subject)}</h2><p>${head}</p>${parts}</article>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
