import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts';

interface Vector {
  name: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
  now: number;
  tolerance_seconds: number;
  valid: boolean;
  fault: string | null;
  /** The id by which receivers drop duplicates; only valid vectors have one. */
  id?: string;
}

const file = new URL('../vectors/webhooks.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
const [good] = vectors as [Vector];
const at = (vector: Vector) => ({ now: () => vector.now * 1000 });

describe('verifyWebhook', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const options = { ...at(vector), toleranceSeconds: vector.tolerance_seconds };
    for (const body of [vector.body, Buffer.from(vector.body)]) {
      const verify = () => verifyWebhook(body, vector.headers, vector.secret, options);
      if (vector.valid) {
        expect(verify()).toMatchObject({ id: vector.id, payload: JSON.parse(vector.body) });
        continue;
      }
      if (vector.fault === 'unusable_secret') {
        expect(verify).toThrow(TypeError);
        continue;
      }
      expect(verify).toThrow(WebhookVerificationError);
      expect(verify).toThrow(expect.objectContaining({ fault: vector.fault }));
    }
  });

  it('returns the delivered event', () => {
    const { deliveryId, event, payload } = verifyWebhook(good.body, good.headers, good.secret, at(good));
    expect({ deliveryId, event }).toEqual({
      deliveryId: good.headers['X-Waymark-Delivery'],
      event: 'decision.created',
    });
    expect(payload.data).toEqual({ title: 'Use Postgres' });
  });

  it('returns no delivery id that is not signed', () => {
    const { 'webhook-signature': _, ...unsigned } = good.headers;
    for (const forged of ['01930000-0000-7000-8000-00000000eeee', null]) {
      const ids = forged ? { 'X-Waymark-Delivery': forged, 'webhook-id': forged } : {};
      const verified = verifyWebhook(good.body, { ...unsigned, ...ids }, good.secret, at(good));
      expect(verified).toMatchObject({ id: good.id, deliveryId: null });
    }
  });

  it('accepts a Headers object and Node’s header records', () => {
    const one = verifyWebhook(good.body, new Headers(good.headers), good.secret, at(good));
    const lists = Object.fromEntries(Object.entries(good.headers).map(([name, value]) => [name, [value]]));
    expect(verifyWebhook(good.body, { ...lists, cookie: undefined }, good.secret, at(good))).toEqual(one);
  });

  it('accepts several secrets and another header prefix', () => {
    const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
    expect(verifyWebhook(good.body, good.headers, [other, good.secret], at(good)).event).toBe(
      'decision.created',
    );
    const renamed = Object.fromEntries(
      Object.entries(good.headers)
        .filter(([name]) => name.startsWith('X-Waymark-'))
        .map(([name, value]) => [name.replace('X-Waymark-', 'X-Acme-'), value]),
    );
    expect(() => verifyWebhook(good.body, renamed, good.secret, at(good))).toThrow('X-Waymark-Signature');
    const options = { ...at(good), headerPrefix: 'X-Acme-' };
    expect(verifyWebhook(good.body, renamed, good.secret, options).event).toBe('decision.created');
  });

  it('refuses empty and malformed secrets, because anyone could sign with them', () => {
    for (const secret of ['', 'whsec_', 'secret', [], ['whsec_']]) {
      expect(() => verifyWebhook(good.body, good.headers, secret, at(good))).toThrow(TypeError);
    }
  });

  // printf '1767225600.hello' | openssl dgst -sha256 -hmac "$SECRET"
  it.each([
    ['hello', 'f1c2d446c4979659d4d877cd16de5d2bd30414576772f76ca3befce54def5985'],
    ['null', 'e07ac6a6a08c2532e5115a49dfa42420e23829af3caf2398f9c88b27e98991cb'],
  ])('rejects a signed body that is not an object: %s', (body, mac) => {
    const headers = { 'X-Waymark-Timestamp': '1767225600', 'X-Waymark-Signature': `sha256=${mac}` };
    expect(() => verifyWebhook(body, headers, good.secret, at(good))).toThrow(
      expect.objectContaining({ fault: 'invalid_body' }),
    );
  });

  it('uses the tolerance that the service documents', () => {
    const seconds = limits.webhookToleranceSeconds;
    const later = (n: number) => ({ now: () => (good.now + n) * 1000 });
    expect(verifyWebhook(good.body, good.headers, good.secret, later(seconds)).event).toBe(
      'decision.created',
    );
    expect(() => verifyWebhook(good.body, good.headers, good.secret, later(seconds + 1))).toThrow(
      'away from now',
    );
  });
});
