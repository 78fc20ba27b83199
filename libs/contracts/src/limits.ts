/** Every limit of the product, each with its unit in its name. */
export const buckets = ['read', 'export', 'mutation'] as const;
export type Bucket = (typeof buckets)[number];

export const plans = ['free', 'pro', 'business', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** Requests per window, by bucket. */
export type BucketLimits = Record<Bucket, number>;

export const RATE_WINDOW_SECONDS = 60;

const STANDARD: BucketLimits = { read: 100, export: 10, mutation: 30 };
const STANDARD_CEILING: BucketLimits = { read: 300, export: 30, mutation: 90 };

export interface RateLimits {
  key: Record<Plan, BucketLimits>;
  /** The ceiling over all keys of a workspace. */
  workspace: Record<Plan, BucketLimits>;
  session: BucketLimits;
  /** Callers without valid credentials, by network address. */
  address: BucketLimits;
}

/** Requests per minute; LIMIT_SCALE multiplies all. */
export const rateLimits: RateLimits = {
  key: {
    free: STANDARD,
    pro: STANDARD,
    business: STANDARD,
    enterprise: { read: 300, export: 30, mutation: 90 },
  },
  workspace: {
    free: STANDARD_CEILING,
    pro: STANDARD_CEILING,
    business: STANDARD_CEILING,
    enterprise: { read: 3000, export: 300, mutation: 900 },
  },
  session: STANDARD,
  address: STANDARD,
};

/** What a plan includes; an operation names the feature that it needs. */
export const planFeatures = {
  api_keys: ['business', 'enterprise'],
  audit_log: ['business', 'enterprise'],
} as const satisfies Record<string, readonly Plan[]>;
export type PlanFeature = keyof typeof planFeatures;

/** Whether `plan` includes `feature`. */
export function planIncludes(plan: Plan, feature: PlanFeature): boolean {
  return (planFeatures[feature] as readonly Plan[]).includes(plan);
}

export const KIBIBYTE = 1024;
export const MEBIBYTE = 1024 * KIBIBYTE;

export const limits = {
  bodyBytes: MEBIBYTE,
  graphBodyBytes: 16 * MEBIBYTE,
  importBodyBytes: 1024 * MEBIBYTE,
  /** Of one record in an import file, as it is written there: escapes take six bytes a character. */
  importRecordBytes: 4 * MEBIBYTE,
  /** Of one record, at any depth, its keys among them: a node's data at its largest has fewer. */
  importRecordValues: 50_000,
  /** Imports of one workspace that are uploaded, wait or run. */
  importsUnfinished: 5,
  /** Issues, and as many warnings again, that an import shows. */
  importIssues: 100,
  /** Records and bytes that an import hands to a service at once. */
  importPortionRecords: 200,
  importPortionBytes: MEBIBYTE,
  /** One workflow at its largest, as services hand it to each other. */
  importWorkflowBytes: 64 * MEBIBYTE,
  /** Files in an archive of Markdown decisions, and the bytes of one of them. */
  madrFiles: 100_000,
  madrFileBytes: MEBIBYTE,
  madrArchiveBytes: 1024 * MEBIBYTE,
  jsonDepth: 32,
  /** Objects and arrays in one body. */
  jsonContainers: 500_000,
  pageSize: 100,
  pageSizeMax: 500,
  /** Records that an export takes from a service at once, at first and at most; between the two as many as have so many bytes. */
  exportPageSize: 100,
  exportPageSizeMax: 1_000,
  exportPageBytes: 256 * KIBIBYTE,
  searchPageSize: 20,
  searchQueryCharacters: 200,
  searchHighlightsPerHit: 10,
  /** Of the original text, on either side of a highlight. */
  searchExcerptContextCharacters: 60,
  titleCharacters: 300,
  nameCharacters: 200,
  textCharacters: 20_000,
  tagCharacters: 100,
  listItems: 50,
  decisionBytes: 200 * KIBIBYTE,
  /** In a calendar feed: the latest of those that are overdue, and as many again of those that come next. */
  calendarOverdue: 500,
  calendarExpected: 500,
  /** Points of the metric's history. */
  metricsWeeksMax: 104,
  /** Decisions that one supersedes, directly and over others; and how many a view of them shows each way. */
  supersedesChain: 100,
  nodeDataBytes: 64 * KIBIBYTE,
  nodeDataDepth: 10,
  nodesPerWorkflow: 5_000,
  edgesPerWorkflow: 10_000,
  /** All `data` and `condition` of a workflow together, as JSON: what one answer has to hold. */
  graphFreeFormBytes: 16 * MEBIBYTE,
  messageCharacters: 20_000,
  passwordCharactersMin: 10,
  passwordCharactersMax: 200,
  apiKeysPerWorkspace: 200,
  workspacesPerUser: 100,
  sessionsPerUser: 100,
  membersPerWorkspace: 1_000,
  invitationsPerWorkspace: 200,
  invitationSeconds: 7 * 86_400,
  allowedIps: 50,
  keyRotationOverlapSecondsMax: 7 * 86_400,
  idempotencyKeyCharacters: 255,
  idempotencySeconds: 86_400,
  eventBytes: 512 * KIBIBYTE,
  /** Of the records in one event about many. */
  eventBatchBytes: 256 * KIBIBYTE,
  /** Live streams of one key or user, and of all, at one gateway process. */
  eventStreamsPerCaller: 20,
  eventStreams: 5_000,
  /** The latest events of the installation that a gateway can resume from. */
  eventStreamRecent: 20_000,
  urlCharacters: 2_048,
  webhookEndpointsPerWorkspace: 50,
  webhookPerSecondMax: 10_000,
  /** POSTs in all, the first included. */
  webhookAttempts: 5,
  webhookAttemptTimeoutMs: 10_000,
  webhookRetryAfterSecondsMax: 6 * 3_600,
  webhookToleranceSeconds: 300,
  webhookSecretOverlapSeconds: 86_400,
  webhookFailingDays: 5,
  webhookRetentionDays: 30,
  webhookHistoryHours: 7 * 24,
  webhookAnswerBytes: 64 * KIBIBYTE,
  webhookAnswerKeptBytes: 16 * KIBIBYTE,
  /** Attempts that a delivery shows, replays included: the latest. */
  webhookAttemptsKept: 50,
  /** Deliveries that one call replays. */
  webhookReplayMax: 5_000,
} as const;

/** The wait after each failed attempt; a further attempt than these would wait as the last. */
export const webhookRetryDelaysSeconds: readonly number[] = [30, 120, 600, 3_600, 21_600];
