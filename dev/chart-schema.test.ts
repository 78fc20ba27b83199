import { describe, expect, it } from '@jest/globals';
import { chartSchema } from './chart-schema.ts';
import { declared } from './declared.ts';
import { environments } from './environments.ts';

const { $defs, properties } = JSON.parse(chartSchema());

function isAccepted(name: string, text: string): boolean {
  const check: { enum?: string[]; pattern?: string; maxLength?: number } = $defs.variables[name];
  if (check.enum) return check.enum.includes(text);
  return new RegExp(check.pattern ?? '').test(text) && text.length <= (check.maxLength ?? Infinity);
}

const texts = [
  ...['0', '1', '-1', '1.5', '0.5', '007', '2147483648', 'yes', 'true', 'verbose', 'info', '30s', '5m,1h'],
  ...[
    '443,0',
    '443,65535',
    '443, 65536',
    'a',
    'a:8080',
    'http://a',
    'http://a/b',
    'ftp://a',
    '@example.com',
    'a b',
    'x-',
  ],
  ...[
    '10.0.0.0/8',
    '10.20.0.0/99',
    '[fd12::/48]:8443',
    '{',
    '{}',
    'mailto:a@example.com',
    'https://a',
    'a/b',
  ],
  'x'.repeat(64),
];

describe.each(Object.entries(environments))('the chart, of the variables of %s,', (service, shape) => {
  const names = Object.keys(shape).filter(
    (name) => name in properties.services.properties[service].properties.env.properties,
  );

  it('accepts no value that the service refuses', () => {
    const wrong = names.flatMap((name) => {
      const { minimum = 0, maximum = 0 } = declared(shape[name]!);
      const given = [...texts, String(minimum - 1), String(maximum + 1)];
      const accepted = given.filter((text) => isAccepted(name, text));
      return accepted
        .filter((text) => !shape[name]!.safeParse(text).success)
        .map((text) => `${name}=${text}`);
    });
    expect(wrong).toEqual([]);
  });

  it('accepts an empty one, the default, and the bounds of numbers', () => {
    const refused = names.flatMap((name) => {
      const { minimum, maximum, default: standard = '' } = declared(shape[name]!);
      const given = ['', standard, minimum, maximum].filter((value) => value !== undefined).map(String);
      return given.filter((text) => !isAccepted(name, text)).map((text) => `${name}=${text}`);
    });
    expect(refused).toEqual([]);
  });
});

/** Values that a service accepts, among them what a block scalar of YAML gives. */
const unusual: [name: string, ...texts: string[]][] = [
  ['RATE_LIMITS', '{}\n', '{\n  "session": { "export": 20 }\n}\n'],
  ['LIMIT_SCALE', '1e2', '1.', '.5', '2\n', '0x10'],
  ['OTEL_TRACES_SAMPLER_ARG', '1e-3', '1.', '0.25\n', '00.5', ' 1 '],
  ['BODY_TIMEOUT_MS', '30000\n', ' 30000', '3e4', '30000.0', '+30000', '0x7530'],
  ['MEMBERS_PER_WORKSPACE', '9007199254740991'],
  ['SECURITY_CONTACT', 'Mailto:security@example.com', 'HTTPS://example.com', 'mailto:a@example.com\n'],
  ['OIDC_ISSUER', 'HTTPS://id.example.com', 'http://localhost:8080/a', 'http://[::1]', 'https://a\n'],
  ['DECISIONS_URL', 'HTTP://a:8080', 'http://a:8080,\n  http://b:8080\n'],
  ['CORS_ORIGINS', 'https://a.example.com,\n  https://b.example.com\n'],
  ['OIDC_EMAIL_DOMAINS', 'example.com,\n  example.org\n'],
  ['WEBHOOK_PORTS', '443,\n8443\n'],
  ['WEBHOOK_RETRY_DELAYS_SECONDS', '5,\n  30,\n  3e2\n'],
  ['WEBHOOK_ALLOWED_TARGETS', '10.0/8', '10.0.0.0/08', '[fd12::1%eth0]', '3com', '10.20.0.0/16,\n  a.b\n'],
];

it.each(unusual)('the chart accepts each %s that the service accepts', (name, ...given) => {
  const check = Object.values(environments).find((shape) => name in shape)![name]!;
  expect(given.filter((text) => !check.safeParse(text).success)).toEqual([]);
  expect(given.filter((text) => !isAccepted(name, text))).toEqual([]);
});

it('the chart leaves numbers of threads to Node, which lowers them', () => {
  expect(['0', '4', '2048', '-1', 'four'].filter((text) => isAccepted('UV_THREADPOOL_SIZE', text))).toEqual([
    '0',
    '4',
    '2048',
  ]);
});

it('the chart refuses an issuer whose http address is not this machine', () => {
  const wrong = ['http://localhost:x@evil.example/', 'http://localhost.example', 'http://id.example.com'];
  expect(wrong.filter((text) => isAccepted('OIDC_ISSUER', text))).toEqual([]);
});

it('the chart refuses an address of a service that is none', () => {
  const wrong = ['a', 'a:8080', 'ftp://a', 'http://a/b', 'http://a,b', '@a'];
  expect(wrong.filter((text) => isAccepted('DECISIONS_URL', text))).toEqual([]);
  expect(isAccepted('DECISIONS_URL', 'http://a:8080, https://b/')).toBe(true);
});
