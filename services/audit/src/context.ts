import type { ServiceRuntime } from '@waymark/service-kit/service';
import { type WorkspacePurge, workspacePurge } from '@waymark/service-kit/store';
import type { SigningKeys } from './chain/signing.ts';
import { ownedCollections } from './store/collections.ts';
import { type AuditStore, auditStore } from './store/index.ts';

/** The dependencies of the service's operations. */
export interface AuditContext extends Pick<ServiceRuntime, 'commit' | 'log' | 'now'> {
  store: AuditStore;
  keys: SigningKeys;
  purge: WorkspacePurge;
}

export function auditContext(keys: SigningKeys, runtime: ServiceRuntime): AuditContext {
  const { commit, cursors, database, log, now } = runtime;
  const purge = workspacePurge(database, ownedCollections);
  return { store: auditStore(database, cursors), keys, purge, commit, log, now };
}
