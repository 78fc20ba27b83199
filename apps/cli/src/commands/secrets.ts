import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { retireSigningKeys } from '@waymark/audit/operator';
import { CommandError } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';
import { reencryptWebhookSecrets } from './admin.ts';

/** A variable that holds a list: its first secret signs or encrypts, all of them are accepted. */
interface SecretList {
  make(): string;
  /** The list without what its first has taken the place of. */
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
      terminal.error(`${moved} webhook secrets were under an older key and are under the first one now`);
      return firstOf(list);
    },
  },
};

/**
 * The next value of a secret that rotates, from the one in the environment: `add` a fresh one behind, `promote` the last to the front,
 * `retire` the others. Services are rolled after each. The value alone goes to the output, so that a script can store it.
 */
export async function rotateSecret(
  step: 'add' | 'promote' | 'retire',
  variable: string,
  terminal: Terminal,
): Promise<void> {
  const known = Object.keys(secretLists).join(', ');
  const secrets = secretLists[variable];
  if (!secrets) throw new CommandError(`${variable} is not one of ${known}`);
  const now = terminal.env[variable];
  if (!now && step !== 'add') throw new CommandError(`${variable} is missing`);
  const list = now ? now.split(',') : [];
  if (step === 'promote' && list.length < 2)
    throw new CommandError(`${variable} holds one secret: add another first, and roll the services`);
  if (step === 'add') terminal.out([...list, secrets.make()].join(','));
  else if (step === 'promote') terminal.out([list.at(-1), ...list.slice(0, -1)].join(','));
  else terminal.out(await secrets.retire(now!, terminal));
}
