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
      const given = ['', standard, minimum, maximum && Math.min(maximum, 1e14)]
        .filter((value) => value !== undefined)
        .map(String);
      return given.filter((text) => !isAccepted(name, text)).map((text) => `${name}=${text}`);
    });
    expect(refused).toEqual([]);
  });
});

it('the chart refuses an address of a service that is none', () => {
  const wrong = ['a', 'a:8080', 'ftp://a', 'http://a/b', 'http://a,b', '@a'];
  expect(wrong.filter((text) => isAccepted('DECISIONS_URL', text))).toEqual([]);
  expect(isAccepted('DECISIONS_URL', 'http://a:8080, https://b/')).toBe(true);
});
