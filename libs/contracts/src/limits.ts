/** Every limit of the product, each with its unit in its name. */
export const buckets = ['read', 'export', 'mutation'] as const;
export type Bucket = (typeof buckets)[number];

export const plans = ['free', 'pro', 'business', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** How the quality of decisions is scored (docs/guide/score.md). A workspace chooses; default dq-1. */
export const qualityModels = ['dq-1', 'dq-2'] as const;
export type QualityModel = (typeof qualityModels)[number];

/** Requests per window, by bucket. */
export type BucketLimits = Record<Bucket, number>;

export const RATE_WINDOW_SECONDS = 60;

const STANDARD: BucketLimits = { read: 100, export: 10, mutation: 30 };

const byPlan = (standard: BucketLimits, enterprise: BucketLimits): Record<Plan, BucketLimits> => ({
  free: standard,
  pro: standard,
  business: standard,
  enterprise,
});

/** Requests per minute; LIMIT_SCALE multiplies all. */
export const rateLimits = {
  key: byPlan(STANDARD, { read: 300, export: 30, mutation: 90 }),
  /** The ceiling over all keys of a workspace. */
  workspace: byPlan({ read: 300, export: 30, mutation: 90 }, { read: 3000, export: 300, mutation: 900 }),
  session: STANDARD,
  /** Callers without valid credentials, by network address. */
  address: STANDARD,
};
export type RateLimits = typeof rateLimits;

/** The features of plans; an operation names the feature that it needs. */
export const planFeatures = {
  api_keys: ['business', 'enterprise'],
  audit_log: ['business', 'enterprise'],
} as const satisfies Record<string, readonly Plan[]>;
export type PlanFeature = keyof typeof planFeatures;

/** The least plan with a feature. */
export const leastPlanWith = (feature: PlanFeature): Plan => planFeatures[feature][0];

export function planIncludes(plan: Plan, feature: PlanFeature): boolean {
  return (planFeatures[feature] as readonly Plan[]).includes(plan);
}

export const KIBIBYTE = 1024;
export const MEBIBYTE = 1024 * KIBIBYTE;

export const limits = {
  /** The URL and all headers of a request together. */
  headerBytes: 16 * KIBIBYTE,
  bodyBytes: MEBIBYTE,
  /** A body of an operation that needs no credentials. */
  unauthenticatedBodyBytes: 16 * KIBIBYTE,
  graphBodyBytes: 16 * MEBIBYTE,
  /** A message to the MCP server: one record with its texts. */
  mcpBodyBytes: 256 * KIBIBYTE,
  /** A response that an MCP tool gets of one operation: the gateway keeps it whole. */
  mcpResponseBytes: MEBIBYTE,
  /** Records in the answer of a tool. */
  mcpPageSize: 20,
  mcpPageSizeMax: 50,
  importBodyBytes: 1024 * MEBIBYTE,
  /** One record of an import file, as written there: an escaped character takes six bytes. */
  importRecordBytes: 4 * MEBIBYTE,
  /** Values and keys of one record at any depth; the largest possible node data has fewer. */
  importRecordValues: 50_000,
  /** Imports of one workspace that are being uploaded, queued or running. */
  importsUnfinished: 5,
  /** Issues that an import shows, and as many warnings. */
  importIssues: 100,
  /** Records and bytes that an import sends to a service in one request. */
  importPortionRecords: 200,
  importPortionBytes: MEBIBYTE,
  /** Keys and values in it; a mebibyte can have half as many. */
  importPortionValues: 1_000_000,
  /** The largest possible workflow, as one service sends it to another. */
  importWorkflowBytes: 64 * MEBIBYTE,
  /** Files in an archive of Markdown decisions, and the bytes of one of them. */
  madrFiles: 100_000,
  madrFileBytes: MEBIBYTE,
  madrArchiveBytes: 1024 * MEBIBYTE,
  batchOperations: 100,
  /** A batch is charged as one mutation for each begun ten of its operations. */
  batchOperationsPerMutation: 10,
  /** How often a batch goes from one service to another: each time costs a call and a transaction. */
  batchServiceChanges: 20,
  jsonDepth: 32,
  /** Keys and values of one body, at any depth. */
  bodyValues: 1_000,
  /** Values of a body with a decision: 50 options with 50 arguments for and 50 against each. */
  decisionValues: 6_000,
  /** Values of a body with free-form data: the smallest ones take a byte each. */
  nodeValues: 66_000,
  /** Values of a whole graph: 150,000 for the nodes and edges of the largest, the others for their data. */
  graphValues: 520_000,
  pageSize: 100,
  pageSizeMax: 500,
  /** Records of each list in a decision with its parts. */
  includedRecords: 20,
  /** Workflows with more have no picture in lists. */
  outlineNodes: 60,
  /** Decisions of each kind that wait for somebody. */
  waitingDecisions: 500,
  /** Records in the first page of an export, and the most in a later one, which aims at exportPageBytes. */
  exportPageSize: 100,
  exportPageSizeMax: 1_000,
  exportPageBytes: 256 * KIBIBYTE,
  searchPageSize: 20,
  searchQueryCharacters: 200,
  searchHighlightsPerHit: 10,
  /** Characters of the original text on either side of a highlight. */
  searchExcerptContextCharacters: 60,
  emailCharacters: 254,
  titleCharacters: 300,
  nameCharacters: 200,
  /** The id that a record has in another system. */
  externalIdCharacters: 200,
  textCharacters: 20_000,
  tagCharacters: 100,
  listItems: 50,
  decisionBytes: 200 * KIBIBYTE,
  approvalsPerRule: 20,
  /** Each with what is different from the present text. */
  approvalsPage: 20,
  /** The versions of a text in which an approved one is looked for. */
  comparedVersions: 50,
  reasonCharacters: 2_000,
  reviewMonths: 60,
  /** A review waits for those who are responsible from so many days before its date on. */
  reviewAheadDays: 14,
  /** The lowest quality scores of the middle and the high band. */
  middleScore: 40,
  highScore: 70,
  /** No figure is drawn from fewer decisions. */
  casesMin: 10,
  /** Entries of a calendar feed: the latest overdue decisions, and the next expected ones. */
  calendarOverdue: 500,
  calendarExpected: 500,
  /** Decisions that an export names; more would not fit into the headers that Node accepts (16 KiB). */
  exportedIds: 200,
  /** Nodes whose messages one request counts; as many ids as an export takes. */
  countedNodes: 200,
  /** A node's messages are counted up to this number, so that a long thread costs no more. */
  countedMessages: 100,
  /** A person's unread notifications are counted up to this number. */
  countedNotifications: 1_000,
  notificationExcerptCharacters: 200,
  /** Handed over to be mailed at once, and in one daily mail. */
  mailedNotifications: 100,
  /** How long a notification is kept. */
  notificationDays: 180,
  /** Records and workspaces that a person watches or has muted. */
  subscriptionsPerUser: 1_000,
  /** Tags, types and authors that a list offers to filter by. */
  facetValues: 200,
  /** The newest audit entries, whose actions and actors are offered to filter by. */
  auditFacetEntries: 2_000,
  /** Points in the history of the metrics. */
  metricsWeeksMax: 104,
  /** Decisions in a chain of superseded ones, and those that a view of it shows in each direction. */
  supersedesChain: 100,
  nodeDataBytes: 64 * KIBIBYTE,
  nodeDataDepth: 10,
  nodesPerWorkflow: 5_000,
  edgesPerWorkflow: 10_000,
  /** The `data` and `condition` objects of one workflow, as JSON, since one answer holds them all. */
  graphFreeFormBytes: 16 * MEBIBYTE,
  messageCharacters: 20_000,
  /** People whom one text mentions. */
  mentions: 50,
  /** Reactions with all emoji together. */
  reactionsPerMessage: 500,
  passwordCharactersMin: 10,
  passwordCharactersMax: 200,
  /** Programs that one person has given access. */
  grantsPerUser: 50,
  grantCodeSeconds: 60,
  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 30 * 86_400,
  grantSeconds: 180 * 86_400,
  /** How long a code that a terminal shows waits for a person, and how often its program may ask. */
  deviceCodeSeconds: 10 * 60,
  deviceIntervalSeconds: 5,
  /** Wrong codes that one person may enter in 15 minutes. */
  wrongDeviceCodes: 10,
  /** How long a key for the command line is valid. */
  loginKeySeconds: 90 * 86_400,
  /** How long a key may change settings after a person has allowed it. */
  settingsSeconds: 3_600,
  apiKeysPerWorkspace: 200,
  serviceAccountsPerWorkspace: 100,
  workspacesPerUser: 100,
  /** Private views of a person in a workspace. */
  viewsPerUser: 100,
  sharedViewsPerWorkspace: 200,
  /** Favourite views of a person in a workspace. */
  favouriteViews: 300,
  sessionsPerUser: 100,
  membersPerWorkspace: 1_000,
  invitationsPerWorkspace: 200,
  invitationSeconds: 7 * 86_400,
  mailedLinkSeconds: 30 * 60,
  mailedTokenCharactersMax: 2_000,
  passkeysPerUser: 20,
  /** How long the browser may take to answer the options for a passkey. */
  passkeyChallengeSeconds: 5 * 60,
  /** How long the secret of an authenticator app waits for its first code. */
  totpEnrolmentSeconds: 10 * 60,
  recoveryCodes: 10,
  secondFactorCodeCharactersMax: 64,
  /** The characters of one part of the browser's answer. */
  passkeyPartCharacters: 8_000,
  allowedIps: 50,
  /** How long before a key expires its creator, or the owners of the workspace, are told by mail. */
  keyExpiryNoticeSeconds: 7 * 86_400,
  keyRotationOverlapSecondsMax: 7 * 86_400,
  idempotencyKeyCharacters: 255,
  idempotencySeconds: 86_400,
  eventBytes: 512 * KIBIBYTE,
  /** The records in one event about many records. */
  eventBatchBytes: 256 * KIBIBYTE,
  /** Live streams of one key or of a user's sessions, and in total, at one gateway process. */
  eventStreamsPerCaller: 20,
  eventStreams: 5_000,
  /** Reports of a user's tabs in one workspace, and of all users, that a gateway process keeps. */
  presencePerUser: 20,
  presence: 20_000,
  presenceSeconds: 30,
  /** The latest events of the installation that a gateway can resume from. */
  eventStreamRecent: 20_000,
  /** How long the deletion of a decision is known. */
  deletionDays: 60,
  /** How long a deleted record can be restored. */
  trashDays: 30,
  trashTitleCharacters: 200,
  /** How long the event log keeps an event. */
  eventLogDays: 30,
  /** A page ends after the event that reaches this size. */
  eventLogPageBytes: 4 * MEBIBYTE,
  /** Less than a draining gateway waits for requests in flight. */
  eventLogWaitSeconds: 10,
  /** Callers that wait for an event of one workspace, and of all, at one process. */
  eventLogWaitersPerCaller: 20,
  eventLogWaiters: 256,
  eventOffsetsPerWorkspace: 50,
  eventOffsetNameCharacters: 100,
  urlCharacters: 2_048,
  webhookEndpointsPerWorkspace: 50,
  webhookPerSecondMax: 10_000,
  /** All attempts, including the first. */
  webhookAttempts: 5,
  webhookAttemptTimeoutMs: 10_000,
  webhookRetryAfterSecondsMax: 6 * 3_600,
  webhookToleranceSeconds: 300,
  webhookSecretOverlapSeconds: 86_400,
  webhookFailingDays: 5,
  webhookRetentionDays: 30,
  webhookHistoryHours: 7 * 24,
  webhookResponseBytes: 64 * KIBIBYTE,
  webhookResponseKeptBytes: 16 * KIBIBYTE,
  /** The latest attempts that a delivery shows, including those of replays. */
  webhookAttemptsKept: 50,
  /** The most deliveries that one call replays. */
  webhookReplayMax: 5_000,
} as const;

/** Ports of endpoints, unless the operator allows others. */
export const webhookPorts: readonly number[] = [443, 8443];

/** The wait after each failed attempt. */
export const webhookRetryDelaysSeconds: readonly number[] = [30, 120, 600, 3_600, 21_600];
