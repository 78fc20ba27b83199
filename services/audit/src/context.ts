import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { SigningKeys } from './chain/signing.ts';
import { openEventLog } from './event-log/event-log.ts';
import { headCopies } from './heads/head-copies.ts';
import { trustedHeads } from './heads/trusted-heads.ts';
import { openStore } from './store/index.ts';

export type AuditContext = ReturnType<typeof auditContext>;

export function auditContext(keys: SigningKeys, runtime: ServiceRuntime) {
  const { call, commit, config, database, log, nats, now, workspaces } = runtime;
  const store = openStore(database);
  const copies = headCopies(nats, config, keys.publicKeys);
  const heads = trustedHeads(store, copies, keys);
  const eventLog = openEventLog(runtime);
  return { store, keys, copies, heads, workspaces, eventLog, call, commit, log, now };
}
