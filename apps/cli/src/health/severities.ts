/**
 * The severity of each alert, as deploy/helm/waymark/files has it: whatever finds a condition, Prometheus or
 * `waymark doctor`, it is as severe.
 */
export const severities = {
  WaymarkRequestsFail: 'critical',
  WaymarkErrorBudgetShrinks: 'warning',
  WaymarkRequestsSlow: 'critical',
  WaymarkLatencyBudgetShrinks: 'warning',
  WaymarkStoreDown: 'critical',
  WaymarkServiceGone: 'critical',
  WaymarkReplicaMissing: 'warning',
  WaymarkServiceUnreachable: 'critical',
  WaymarkIdentityRefused: 'critical',
  WaymarkCertificateExpires: 'warning',
  WaymarkCertificateExpired: 'critical',
  WaymarkClocksDiffer: 'critical',
  WaymarkLimitsPerReplica: 'warning',
  WaymarkEventsWaitInOutbox: 'critical',
  WaymarkStreamFills: 'warning',
  WaymarkConsumerGone: 'critical',
  WaymarkConsumerLags: 'warning',
  WaymarkEventParked: 'critical',
  WaymarkDatabaseOlder: 'critical',
  WaymarkAuditChainStopped: 'critical',
  WaymarkWebhooksLate: 'warning',
  WaymarkWebhooksMostlyFail: 'warning',
  WaymarkMailLate: 'warning',
  WaymarkEventLoopBusy: 'warning',
  WaymarkDoctorFailed: 'warning',
  WaymarkBackupOld: 'critical',
} as const satisfies Record<string, 'critical' | 'warning'>;

/** The severity of WaymarkStoreDown for Redis, without which no request is refused. */
export const REDIS_SEVERITY = 'warning';
