import { describe, expect, it } from '@jest/globals';
import { rateLimits } from '@waymark/contracts';
import { EnvironmentError } from '@waymark/service-kit/process';
import { testEnvironment } from '@waymark/testing';
import { effectiveLimits, readConfig } from './config.ts';

const secrets = testEnvironment();

describe('the environment', () => {
  it('needs only secrets, because everything else has a default', () => {
    const config = readConfig(secrets);
    expect(config.rateLimits).toEqual(rateLimits);
    expect(config.upstreamUrls.decisions).toBe('http://127.0.0.1:8082');
    expect([config.corsOrigins, config.trustedProxies]).toEqual([[], []]);
  });

  it.each([
    ['RATE_LIMITS', 'no json'],
    ['RATE_LIMITS', '{"key":{"business":{"reed":1}}}'],
    ['RATE_LIMITS', '{"key":{"business":{"read":0}}}'],
    ['LIMIT_SCALE', '0'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,nonsense'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/0'],
    ['CORS_ORIGINS', 'https://a.example/path'],
    ['PUBLIC_URL', 'ftp://a.example'],
    ['REDIS_PREFIX', 'a{b}'],
  ])('with %s=%s is refused by name', (name, value) => {
    expect(() => readConfig({ ...secrets, [name]: value })).toThrow(EnvironmentError);
    expect(() => readConfig({ ...secrets, [name]: value })).toThrow(name);
  });
});

describe('limits', () => {
  it('are overridden one by one, then scaled, and never fall below 1', () => {
    const limits = effectiveLimits({ key: { pro: { read: 7 } }, session: { export: 4 } }, 0.5);
    expect(limits.key.pro).toEqual({ read: 4, export: 5, mutation: 15 });
    expect(limits.key.business).toEqual({ read: 50, export: 5, mutation: 15 });
    expect(limits.session.export).toBe(2);
    expect(effectiveLimits({}, 0.001).address).toEqual({ read: 1, export: 1, mutation: 1 });
  });
});
