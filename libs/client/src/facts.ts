// Made by npm run generate.

/** From the least to the most powerful. */
export const roles = [
  "viewer",
  "member",
  "admin",
  "owner"
] as const;

/** From the smallest. */
export const plans = [
  "free",
  "pro",
  "business",
  "enterprise"
] as const;

/** The plans that have a feature. */
export const planFeatures = {
  "api_keys": [
    "business",
    "enterprise"
  ],
  "audit_log": [
    "business",
    "enterprise"
  ]
} as const;

/** The fields that lists of decisions are sorted by. */
export const decisionSorts = [
  "created_at",
  "updated_at",
  "quality_score",
  "expected_by",
  "title"
] as const;

/** Records in one request, and characters of one text. */
export const limits = {
  "pageSizeMax": 500,
  "batchOperations": 100,
  "titleCharacters": 300,
  "nameCharacters": 200,
  "tagCharacters": 100,
  "messageCharacters": 20000,
  "searchQueryCharacters": 200,
  "exportedIds": 200,
  "countedNodes": 200,
  "countedMessages": 100,
  "loginKeySeconds": 7776000
} as const;
