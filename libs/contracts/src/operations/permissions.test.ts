import { expect, it } from '@jest/globals';
import { operationList } from './index.ts';

/** Who may call what. The suites over all operations take it from the operations, so it is repeated here. */
const PERMISSIONS: Record<string, string> = {
  everyone: `
    confirmEmail finishOidc getChangelog getOpenApi getSignInMethods openUnsubscribe previewInvitation
    requestPasswordReset resetPassword signIn signInWithPasskey signUp startOidc startPasskeySignIn unsubscribe`,
  feed: 'getDecisionsCalendar',
  session: `
    acceptInvitation addPasskey addTotp changeEmail changePassword createWorkspace declineDeviceLogin deleteSubscription
    endSession getGrantRequest getMailSettings getSelf getTotp listGrants listNotifications listPasskeys listSessions
    listSubscriptions listWorkspaces previewDeviceLogin putMailSettings putSubscription readNotifications removePasskey removeTotp
    renewRecoveryCodes revokeGrant signOut startPasskey startTotp updateNotification updatePasskey updateSelf`,
  'session, member': 'createDecisionApproval',
  'session, viewer':
    'createCalendarFeed createView deleteView getCalendarFeed listViews reportPresence revokeCalendarFeed updateListSettings updateView',
  'session, admin, api_keys': 'allowDeviceLogin',
  'session, viewer, api_keys': 'createGrant',
  key_or_session: 'whoami',
  'key_or_session, read, viewer': `
    countMessages exportDecisionsCsv exportMadr exportWorkspace getApprovalRules getCalibration getDecision getDecisionFacets
    getDecisionMessage getDecisionQuality getDecisionThread getImport getMessage getMetrics
    getMetricsHistory getNode getThread getWorkflow getWorkflowGraph listAllEdges listAllNodes
    listDecisionApprovals listDecisionForecasts listDecisionHistory listDecisionLinks listDecisionOutcomes listDecisions listDeletedDecisions
    listEdges listEventLog listEventOffsets listNodes listPeople listTrashedDecisions listTrashedMessages listTrashedRecords
    listWorkflows search streamEvents`,
  'key_or_session, read, viewer, audit_log': 'exportAuditLog getAuditFacets listAuditLog verifyAuditLog',
  'key_or_session, write, admin': 'createImport',
  'key_or_session, write, member': `
    addDecisionReaction addReaction batch createDecision createDecisionReview createEdge createNode createWorkflow deleteDecision deleteDecisionMessage
    deleteEdge deleteEventOffset deleteMessage deleteNode deleteWorkflow postDecisionMessage postMessage
    putDecisionByExternalId putDecisionForecast putEventOffset putNodeByExternalId putWorkflowGraph removeDecisionReaction removeReaction reopenDecisionMessage reopenMessage
    requestDecisionApproval resolveDecisionMessage resolveMessage restoreDecision restoreMessage restoreNode restoreWorkflow
    scoreDecisionDraft updateDecision updateDecisionMessage updateMessage updateNode updateWorkflow`,
  'session_or_service_account, read, admin': `
    getDelivery getRateLimits getWebhook getWebhookStats listInvitations listMembers
    listWebhookDeliveries listWebhookEventTypes listWebhooks`,
  'session_or_service_account, read, admin, api_keys': 'getServiceAccount listApiKeys listServiceAccounts',
  'session_or_service_account, read, viewer': 'getWorkspace',
  'session_or_service_account, write, admin': `
    addMember createInvitation createWebhook deleteServiceAccount deleteWebhook putApprovalRules replayDelivery
    replayWebhook revokeApiKey revokeInvitation rotateWebhookSecret testWebhook updateMember
    updateWebhook updateWorkspace`,
  'session_or_service_account, write, admin, api_keys':
    'createApiKey createServiceAccount rotateApiKey updateServiceAccount',
  'session_or_service_account, write, owner': 'changePlan deleteWorkspace',
  'session_or_service_account, write, viewer': 'removeMember',
};

it('lets callers with the scope, the role and the plan call an operation', () => {
  const byCaller = Map.groupBy(operationList, ({ caller, scope, role, feature }) =>
    [caller, scope, role, feature].filter((part) => part !== undefined).join(', '),
  );
  const ids = [...byCaller].map(([who, all]) => [who, all.map(({ id }) => id).toSorted()]);
  const expected = Object.entries(PERMISSIONS).map(([who, all]) => [who, all.trim().split(/\s+/)]);
  expect(Object.fromEntries(ids)).toEqual(Object.fromEntries(expected));
});
