import { exportPages } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { AuditConfig } from './config.ts';
import { openEventLog } from './event-log/event-log.ts';
import { headCopies } from './heads/head-copies.ts';
import { trustedHeads } from './heads/trusted-heads.ts';
import { openStore } from './store/index.ts';

export type AuditContext = ReturnType<typeof auditContext>;

export function auditContext(config: AuditConfig, runtime: ServiceRuntime) {
  const { call, commit, database, log, nats, now, workspaces } = runtime;
  const { auditSigningKeys: keys, auditRetentionDays: retentionDays = null } = config;
  const store = openStore(database);
  const copies = headCopies(nats, config, keys.publicKeys);
  const heads = trustedHeads(store, copies, keys);
  const eventLog = openEventLog(runtime);
  const limitPages = exportPages(runtime.metrics);
  return {
    limitPages,
    store,
    keys,
    retentionDays,
    copies,
    heads,
    workspaces,
    eventLog,
    call,
    commit,
    log,
    now,
  };
}
