import { describe, expect, it } from '@jest/globals';
import { httpCall } from '@waymark/testing';
import { startStand } from './stand.ts';

const env = { PUBLIC_URL: 'https://waymark.test', SECURITY_CONTACT: 'mailto:security@waymark.test' };

describe('/.well-known', () => {
  it('has the catalog of the API (RFC 9727), for HEAD too', async () => {
    await using stand = await startStand({ env });
    const path = '/.well-known/api-catalog';
    const { status, headers, text } = await httpCall(stand.url, 'GET', path);
    expect([status, headers['content-type']]).toEqual([
      200,
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    ]);
    const [{ anchor, ...links }] = JSON.parse(text).linkset;
    expect(anchor).toBe('https://waymark.test/v1');
    expect(links['service-desc'][0].href).toBe('https://waymark.test/v1/openapi.json');
    const head = await httpCall(stand.url, 'HEAD', path);
    expect([head.text, head.headers['link']]).toEqual(['', expect.stringContaining('rel="api-catalog"')]);
  });

  it('names the contact for vulnerabilities (RFC 9116) if the operator does', async () => {
    await using stand = await startStand({ env });
    const { text } = await httpCall(stand.url, 'GET', '/.well-known/security.txt');
    expect(text).toContain('Contact: mailto:security@waymark.test\n');
    expect(text).toMatch(/^Expires: \d{4}-\d\d-\d\dT/m);
    await using silent = await startStand();
    const headers = { accept: 'text/html' };
    expect((await httpCall(silent.url, 'GET', '/.well-known/security.txt', { headers })).status).toBe(404);
  });
});
