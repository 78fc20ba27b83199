import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { retireSigningKeys } from '@waymark/audit/operator';
import { CommandError } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';
import { reencryptWebhookSecrets } from './admin.ts';

/** A variable with a list of secrets: the first signs or encrypts, all of them verify or decrypt. */
interface SecretList {
  make(): string;
  /** Returns the list without the secrets that the first has replaced. */
  retire(list: string, terminal: Terminal): string | Promise<string>;
}

const SECRET_BYTES = 32;
const firstOf = (list: string) => list.split(',')[0]!.trim();

const secretLists: Record<string, SecretList> = {
  IDENTITY_SECRETS: { make: () => randomBytes(SECRET_BYTES).toString('hex'), retire: firstOf },
  AUDIT_SIGNING_KEYS: {
    make() {
      const { privateKey } = generateKeyPairSync('ed25519');
      return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    },
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
 * `retire` removes the others. The services are restarted after each step. The output is the value alone, or
 * a JSON `patch` of a Kubernetes Secret, so that a script can store it.
 */
export async function rotateSecret(
  step: 'add' | 'promote' | 'retire',
  variable: string,
  { patch }: { patch?: string | true },
  terminal: Terminal,
): Promise<void> {
  const known = Object.keys(secretLists).join(', ');
  const secrets = secretLists[variable];
  if (!secrets) throw new CommandError(`${variable} is not one of ${known}`);
  const now = terminal.env[variable];
  if (!now && (step !== 'add' || patch)) throw new CommandError(`${variable} is missing`);
  const list = now ? now.split(',') : [];
  if (step === 'promote' && list.length < 2)
    throw new CommandError(`${variable} has one secret; add another first, and restart the services`);
  const next = await nextOf();
  terminal.out(patch ? JSON.stringify(patchOf(patch === true ? variable : patch, now!, next)) : next);

  function nextOf(): string | Promise<string> {
    if (step === 'add') return [...list, secrets!.make()].join(',');
    if (step === 'promote') return [list.at(-1), ...list.slice(0, -1)].join(',');
    return secrets!.retire(now!, terminal);
  }
}

/** A JSON patch that fails as a whole if the key has another value by now. */
function patchOf(key: string, now: string, next: string): object[] {
  const path = `/data/${key}`;
  const encoded = (value: string) => Buffer.from(value).toString('base64');
  return [
    { op: 'test', path, value: encoded(now) },
    { op: 'replace', path, value: encoded(next) },
  ];
}
