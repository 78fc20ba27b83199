/** Runs a scenario with the client: sdks/README.md. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { routes } from '../../src/operations.ts';
import { differenceOf, type Expectation } from './expectation.ts';
import { callOperation, type Step } from './steps.ts';
import { checkVectors } from './vectors.ts';

const EVENTUALLY_MS = 20_000;
const env = process.env as Record<string, string>;
const { steps } = JSON.parse(readFileSync(env['SCENARIO']!, 'utf8')) as { steps: Step[] };
const variables: Record<string, unknown> = {};

/** Replaces `${name}` in the strings of a value. */
function fill(value: unknown): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{(\w+)\}$/.exec(value);
    if (whole) return variables[whole[1]!];
    return value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => String(variables[name]));
  }
  if (Array.isArray(value)) return value.map(fill);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each)]));
}

function read(result: unknown, path: string): unknown {
  const names = path === '' ? [] : path.split('.');
  return names.reduce((value, name) => (value as Record<string, unknown>)[name], result);
}

/** Does a step once. Returns what differs from the expectation, or null. */
async function attempt(step: Step, number: number): Promise<string | null> {
  const filled = fill({ ...step, save: null }) as Step;
  const outcome = await callOperation(filled, { number, env });
  const difference = differenceOf(
    outcome,
    (filled.expect ?? {}) as Expectation,
    filled.apiKey ?? env['WAYMARK_API_KEY']!,
  );
  if (difference !== null || !('result' in outcome)) return difference;
  for (const [name, path] of Object.entries(step.save ?? {})) variables[name] = read(outcome.result, path);
  return null;
}

async function run(step: Step, number: number): Promise<string | null> {
  if (step.webhooks) return checkVectors(env['WAYMARK_WEBHOOK_VECTORS']!);
  const deadline = Date.now() + (step.eventually ? EVENTUALLY_MS : 0);
  for (let n = 1; n <= (step.times ?? 1); n += 1) {
    variables['n'] = n;
    let difference = await attempt(step, number);
    while (difference !== null && Date.now() < deadline) {
      await delay(100);
      difference = await attempt(step, number);
    }
    if (difference !== null) return difference;
  }
  return null;
}

for (const [number, step] of steps.entries()) {
  const error = await run(step, number).catch((thrown: unknown) => String(thrown));
  if (error !== null) process.exitCode = 1;
  console.log(JSON.stringify({ step: step.name, ok: error === null, ...(error !== null && { error }) }));
}
console.log(JSON.stringify({ operations: Object.keys(routes) }));
