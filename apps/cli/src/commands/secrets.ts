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
 * `retire` the others. Services are rolled after each. The value alone goes to the output, or the `patch` of a Kubernetes Secret, so that a script
 * can store it.
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
    throw new CommandError(`${variable} holds one secret: add another first, and roll the services`);
  const next = await nextOf();
  terminal.out(patch ? JSON.stringify(patchOf(patch === true ? variable : patch, now!, next)) : next);

  function nextOf(): string | Promise<string> {
    if (step === 'add') return [...list, secrets!.make()].join(',');
    if (step === 'promote') return [list.at(-1), ...list.slice(0, -1)].join(',');
    return secrets!.retire(now!, terminal);
  }
}

/** A JSON patch that is refused as a whole where the key holds something else by now. */
function patchOf(key: string, now: string, next: string): object[] {
  const path = `/data/${key}`;
  const encoded = (value: string) => Buffer.from(value).toString('base64');
  return [
    { op: 'test', path, value: encoded(now) },
    { op: 'replace', path, value: encoded(next) },
  ];
}
