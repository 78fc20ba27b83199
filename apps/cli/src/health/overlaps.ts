import { countPrivateKeys } from '@waymark/audit/operator';
import { type ServiceName, services } from '@waymark/contracts';
import { identityPrivateKeysOf } from '@waymark/service-kit/process';

/** Returns how many values each secret has that `waymark secrets` rotates, if there are several. */
export function overlapsIn(env: Readonly<Record<string, string | undefined>>): Record<string, number> {
  const count = (name: string) => (env[name] ?? '').split(',').length;
  const identityKeys = (Object.keys(services) as ServiceName[]).map((name) =>
    count(identityPrivateKeysOf(name)),
  );
  const counts = {
    IDENTITY_PRIVATE_KEYS: Math.max(...identityKeys),
    CURSOR_SECRETS: count('CURSOR_SECRETS'),
    // Retired keys stay in the list as public keys.
    AUDIT_SIGNING_KEYS: countPrivateKeys(env['AUDIT_SIGNING_KEYS'] ?? ''),
    WEBHOOK_ENCRYPTION_KEYS: count('WEBHOOK_ENCRYPTION_KEYS'),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, values]) => values > 1));
}
