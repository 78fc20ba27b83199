import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { wholeNumber } from '@waymark/service-kit/process';
import { z } from 'zod';
import { type Declared, declared } from './declared.ts';
import { type Environment, environments } from './environments.ts';

export const CHART_SCHEMA = 'deploy/helm/waymark/values.schema.json';

type Schema = Record<string, unknown>;

/** Variables of Node, which no service declares. */
const ofNode: Environment = {
  NODE_OPTIONS: z.string(),
  TZ: z.string(),
  // Node takes 1 for 0, and its own maximum for more.
  UV_THREADPOOL_SIZE: wholeNumber(4, 0),
};

/** A pattern for whole numbers of `least` to `most`, written with as many digits each or more of them. */
function numbersPattern(least: string, most: string): string {
  const digits = least.length;
  if (digits < most.length)
    return `${numbersPattern(least, '9'.repeat(digits))}|${numbersPattern(`1${'0'.repeat(digits)}`, most)}`;
  if (digits === 0) return '';
  const [first, last] = [Number(least[0]), Number(most[0])];
  if (/^.0*$/.test(least) && /^.9*$/.test(most))
    return `${first === last ? first : `[${first}-${last}]`}${digits > 1 ? `[0-9]{${digits - 1}}` : ''}`;
  if (first === last) return `${first}(${numbersPattern(least.slice(1), most.slice(1))})`;
  const low = `${first}${'9'.repeat(digits - 1)}`;
  const high = `${last}${'0'.repeat(digits - 1)}`;
  const middle = first + 1 < last ? [numbersPattern(String(Number(low) + 1), String(Number(high) - 1))] : [];
  return [numbersPattern(least, low), ...middle, numbersPattern(high, most)].join('|');
}

/** Texts that are read as a number: `plain` ones, and those like 1e3 and 0x10, whose value is not checked. */
const numbers = (plain: string) =>
  `\\s*(\\+?(${plain}|([0-9]+\\.?[0-9]*|\\.[0-9]+)[eE][+-]?[0-9]+)|0[xX][0-9a-fA-F]+)\\s*`;

const wholeNumbers = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Declared) =>
  numbers(`0*(${numbersPattern(String(minimum), String(maximum))})(\\.0*)?`);

/** Variables are text: the bounds of a number become a pattern. An empty one counts as unset. */
function checkOf(name: string, told: Declared): Schema {
  if (told.enum) return { enum: ['', ...told.enum] };
  if (told.items) {
    const item = wholeNumbers(told.items);
    return { type: 'string', pattern: `^(${item}(,${item})*)?$` };
  }
  if (told.type === 'integer') return { type: 'string', pattern: `^(${wholeNumbers(told)})?$` };
  if (told.type === 'number') {
    if (told.exclusiveMinimum === 0)
      return {
        type: 'string',
        pattern: `^(${numbers('[0-9]*[1-9][0-9]*(\\.[0-9]*)?|[0-9]*\\.[0-9]*[1-9][0-9]*')})?$`,
      };
    if (told.minimum === 0 && told.maximum === 1)
      return { type: 'string', pattern: `^(${numbers('0*([01](\\.0*)?|0?\\.[0-9]+)')})?$` };
    throw new Error(`${name}: no pattern is known for such a number`);
  }
  if (told.format && !told.pattern)
    throw new Error(`${name}: the chart needs a pattern of its ${told.format}`);
  return {
    type: 'string',
    ...(told.pattern && { pattern: `^$|${told.pattern}` }),
    ...(told.maxLength && { maxLength: told.maxLength }),
  };
}

/** Returns values.schema.json, which is written by hand except for the variables of the services. */
export function chartSchema(): string {
  const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '..', CHART_SCHEMA), 'utf8'));
  // Secrets, and those with a value of their own in values.yaml.
  const others: string[] = schema.$defs.service.properties.extraEnv.items.properties.name.not.enum;
  const checks: Record<string, Schema> = {};
  const accept = (names: string[]) => ({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/variables/${name}` }])),
  });
  const { defaults, services } = schema.properties;
  for (const [service, declaredOnes] of Object.entries(environments)) {
    const own = Object.entries(declaredOnes).filter(([name]) => !others.includes(name));
    const accepted = { ...Object.fromEntries(own), ...ofNode };
    for (const [name, check] of Object.entries(accepted)) checks[name] = checkOf(name, declared(check));
    services.properties[service].properties.env = accept(Object.keys(accepted).sort());
  }
  const used = Object.keys(checks);
  // Each service has a database of its own.
  defaults.properties.env = accept(used.filter((name) => name !== 'MONGODB_DATABASE').sort());
  schema.$defs.variables = Object.fromEntries(used.sort().map((name) => [name, checks[name]]));
  return `${JSON.stringify(schema, null, 2)}\n`;
}
