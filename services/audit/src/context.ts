import type { ServiceRuntime } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import type { SigningKeys } from './chain/signing.ts';
import { openEventLog } from './event-log/event-log.ts';
import { headCopies } from './heads/head-copies.ts';
import { trustedHeads } from './heads/trusted-heads.ts';
import { ownedCollections } from './store/collections.ts';
import { openStore } from './store/index.ts';

export type AuditContext = ReturnType<typeof auditContext>;

export function auditContext(keys: SigningKeys, runtime: ServiceRuntime) {
  const { call, commit, config, database, log, nats, now } = runtime;
  const store = openStore(database);
  const copies = headCopies(nats, config, keys.publicKeys);
  const heads = trustedHeads(store, copies, keys);
  const purge = workspacePurge(database, ownedCollections);
  const eventLog = openEventLog(runtime, purge);
  return { store, keys, copies, heads, purge, eventLog, call, commit, log, now };
}
