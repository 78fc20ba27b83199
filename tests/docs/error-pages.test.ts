import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, errors, reasonsOf } from '@waymark/contracts';
import { httpCall } from '@waymark/testing';
import { joinProduct } from '../support/join-product.ts';

const product = joinProduct();

const codes = Object.keys(errors) as ErrorCode[];
const read = (path: string, headers: Record<string, string> = {}) =>
  httpCall(product.url, 'GET', path, { headers: { accept: 'text/html', ...headers } });

describe('/docs/errors', () => {
  it('lists exactly the codes of the table', async () => {
    const { status, text } = await read('/docs/errors');
    const listed = [...text.matchAll(/href="\/docs\/errors\/(\w+)"/g)].map(([, code]) => code);
    expect([status, listed]).toEqual([200, codes]);
  });

  it.each(codes)('has a page for %s that explains its meaning, cause and remedy', async (code) => {
    const { status, text, headers } = await read(`/docs/errors/${code}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const characters = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&#39;': "'" };
    const plain = Object.entries(characters).reduce(
      (decoded, [entity, character]) => decoded.replaceAll(entity, character),
      text,
    );
    for (const part of [code, errors[code].message, errors[code].why, errors[code].fix]) {
      expect(plain).toContain(part);
    }
    for (const part of reasonsOf(code).flat()) expect(plain).toContain(part);
    for (const { length } of [errors[code].why, errors[code].fix]) expect(length).toBeGreaterThan(40);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const again = await read(`/docs/errors/${code}`, { 'if-none-match': headers['etag']! });
    expect(again.status).toBe(304);
    // It replaces the header of the browser's copy.
    expect(again.headers['content-security-policy']).toBe(headers['content-security-policy']);
  });

  it('is the target of the docs link of an error', async () => {
    for (const path of ['/whoami', '/nowhere', '/decisions']) {
      const refusal = await product.call('GET', path);
      expect(refusal.body.docs).toBe(`/docs/errors/${refusal.body.error}`);
      expect((await read(refusal.body.docs)).text).toContain(`<h1>${refusal.body.error}</h1>`);
    }
  });

  it('returns 404 for an unknown code, and loads nothing from another host', async () => {
    expect((await read('/docs/errors/NO_SUCH_CODE')).status).toBe(404);
    const files = ['/docs/docs.css', '/docs/copy.js', '/docs/docs.js', '/docs/try.js'];
    for (const path of ['/docs/errors', '/docs/errors/CONFLICT', ...files]) {
      const { text } = await read(path);
      expect([path, /(?:src|href|url)[=(]"?(?:https?:)?\/\//.test(text)]).toEqual([path, false]);
    }
  });

  it('compresses scripts', async () => {
    const { headers } = await read('/docs/try.js', { 'accept-encoding': 'gzip, br' });
    expect([headers['content-type'], headers['content-encoding']]).toEqual([
      'text/javascript; charset=utf-8',
      'gzip',
    ]);
  });
});
