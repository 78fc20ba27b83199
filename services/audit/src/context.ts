import type { ServiceRuntime } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import type { SigningKeys } from './chain/signing.ts';
import { ownedCollections } from './store/collections.ts';
import { auditStore } from './store/index.ts';

export type AuditContext = ReturnType<typeof auditContext>;

export function auditContext(keys: SigningKeys, runtime: ServiceRuntime) {
  const { commit, cursors, database, log, now } = runtime;
  const purge = workspacePurge(database, ownedCollections);
  return { store: auditStore(database, cursors), keys, purge, commit, log, now };
}
