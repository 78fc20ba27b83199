import { randomBytes } from 'node:crypto';
import { retireSigningKeys } from '@waymark/audit/operator';
import { type ServiceName, services } from '@waymark/contracts';
import {
  generateSigningKey,
  identityPrivateKeysOf,
  identityPublicKeysOf,
} from '@waymark/service-kit/process';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { reencryptTotp, reencryptWebhookSecrets } from './admin.ts';

type Env = Terminal['env'];
type Step = 'add' | 'promote' | 'retire';

/** Lists of secrets: the first of a list signs or encrypts, all of them verify or decrypt. */
interface SecretLists {
  /** The variables with a list each; the name of the secret by default. */
  variables?: string[];
  make(): string;
  /** Returns the list without the secrets that the first has replaced; by default, only the first. */
  retire?(list: string, terminal: Terminal, variable: string): string | Promise<string>;
  /** Returns the variable, and its value, that follows from the lists. */
  derive?(env: Env): Record<string, string>;
}

const SECRET_BYTES = 32;
const firstOf = (list: string) => list.split(',')[0]!.trim();

const secretLists: Record<string, SecretLists> = {
  IDENTITY_PRIVATE_KEYS: {
    variables: (Object.keys(services) as ServiceName[]).map(identityPrivateKeysOf),
    make: generateSigningKey,
    async retire(list, terminal, variable) {
      if (variable !== identityPrivateKeysOf('accounts')) return firstOf(list);
      const moved = await reencryptTotp(terminal);
      terminal.error(
        `${moved} secrets of authenticator apps encrypted with the first key instead of an older one`,
      );
      return firstOf(list);
    },
    derive(env) {
      try {
        return { IDENTITY_PUBLIC_KEYS: identityPublicKeysOf(env) };
      } catch {
        throw new CommandError('IDENTITY_PRIVATE_KEYS of a service is not a list of Ed25519 private keys');
      }
    },
  },
  CURSOR_SECRETS: { make: () => randomBytes(SECRET_BYTES).toString('hex') },
  AUDIT_SIGNING_KEYS: {
    make: generateSigningKey,
    retire(list) {
      try {
        return retireSigningKeys(list);
      } catch {
        throw new CommandError('AUDIT_SIGNING_KEYS is not a list of Ed25519 keys, the first of them private');
      }
    },
  },
  WEBHOOK_ENCRYPTION_KEYS: {
    make: () => randomBytes(SECRET_BYTES).toString('base64'),
    async retire(list, terminal) {
      const moved = await reencryptWebhookSecrets(list, terminal);
      terminal.error(`${moved} webhook secrets encrypted with the first key instead of an older one`);
      return firstOf(list);
    },
  },
};

/**
 * Prints the next value of a rotating secret: `add` appends a new one, `promote` moves the last to the front,
 * `retire` removes the others. The services are restarted after each step. The output is the value, or lines
 * `NAME=value` where several variables change, or a JSON `patch` of a Kubernetes Secret.
 */
export async function rotateSecret(
  step: Step,
  name: string,
  { patch }: { patch?: string | true },
  terminal: Terminal,
): Promise<void> {
  const secrets = secretLists[name];
  if (!secrets) throw new CommandError(`${name} is not one of ${Object.keys(secretLists).join(', ')}`);
  const { env } = terminal;
  const { variables = [name], derive } = secrets;
  if (variables.length > 1 && typeof patch === 'string')
    throw new CommandError(`--patch takes no key for ${name}, which has several`);
  const next: Record<string, string> = {};
  for (const variable of variables) {
    const now = env[variable];
    if (!now?.trim())
      throw new CommandError(`${variable} is missing: set it to the value that the services use`);
    next[variable] = await nextOf(secrets, step, { variable, now }, terminal);
  }
  Object.assign(next, derive?.({ ...env, ...next }));
  const changed = Object.entries(next);
  if (patch) {
    const keyOf = (variable: string) => (patch === true ? variable : patch);
    const patches = changed.flatMap(([variable, value]) => patchOf(keyOf(variable), env[variable], value));
    terminal.out(JSON.stringify(patches));
  } else if (variables.length === 1) terminal.out(next[name]!);
  else for (const [variable, value] of changed) terminal.out(`${variable}=${value}`);
}

function nextOf(
  { make, retire = firstOf }: SecretLists,
  step: Step,
  { variable, now }: { variable: string; now: string },
  terminal: Terminal,
): string | Promise<string> {
  const list = now.split(',');
  if (step === 'add') return [...list, make()].join(',');
  if (step === 'retire') return retire(now, terminal, variable);
  if (list.length < 2)
    throw new CommandError(`${variable} has one secret; add another first, and restart the services`);
  return [list.at(-1), ...list.slice(0, -1)].join(',');
}

/** A JSON patch that fails as a whole if the key has another value by now. */
function patchOf(key: string, now = '', next: string): object[] {
  const path = `/data/${key}`;
  const encoded = (value: string) => Buffer.from(value).toString('base64');
  return [
    { op: 'test', path, value: encoded(now) },
    { op: 'replace', path, value: encoded(next) },
  ];
}
