import type { operations } from '@waymark/client/api';
import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { rich } from './format.ts';

type Query = NonNullable<operations['listAuditLog']['parameters']['query']>;
type AuditAction = NonNullable<Query['action']>;
/** Says what somebody did with a record. `what`: which fields changed, or the value that one has now. */
export type Sentence = (who: ReactNode, it: ReactNode, what: string) => ReactNode;
type Subject = AuditAction | 'set status' | 'set outcome' | 'set role' | 'other';

/** What the entries of the audit log say. An action without a sentence does not compile. */
export const auditSentencesTexts = defineTexts<Record<Subject, Sentence>>('auditSentences', {
  'api_key.create': (who, it) => rich`${who} created the API key ${it}`,
  'api_key.revoke': (who, it) => rich`${who} revoked the API key ${it}`,
  'api_key.rotate': (who, it) => rich`${who} rotated the API key ${it}`,
  'audit_log.export': (who) => rich`${who} exported the audit log`,
  'calendar_feed.create': (who) => rich`${who} created a calendar feed`,
  'calendar_feed.revoke': (who) => rich`${who} ended a calendar feed`,
  'decision.create': (who, it) => rich`${who} logged the decision ${it}`,
  'decision.delete': (who, it) => rich`${who} deleted the decision ${it}`,
  'decision.export': (who) => rich`${who} exported the decisions as CSV`,
  'decision.update': (who, it, fields) => rich`${who} changed the decision ${it}: ${fields}`,
  'delivery.replay': (who) => rich`${who} sent a delivery again`,
  'edge.create': (who) => rich`${who} connected two nodes`,
  'edge.delete': (who) => rich`${who} deleted an edge`,
  'invitation.accept': (who) => rich`${who} accepted an invitation`,
  'invitation.create': (who, it) => rich`${who} invited ${it}`,
  'invitation.revoke': (who, it) => rich`${who} revoked the invitation for ${it}`,
  'member.add': (who, it) => rich`${who} added the member ${it}`,
  'member.remove': (who, it) => rich`${who} removed the member ${it}`,
  'member.update': (who, it, fields) => rich`${who} changed the member ${it}: ${fields}`,
  'node.create': (who, it) => rich`${who} added the node ${it}`,
  'node.delete': (who, it) => rich`${who} deleted the node ${it}`,
  'node.update': (who, it, fields) => rich`${who} changed the node ${it}: ${fields}`,
  'service_account.create': (who, it) => rich`${who} created the service account ${it}`,
  'service_account.delete': (who, it) => rich`${who} deleted the service account ${it}`,
  'service_account.update': (who, it, fields) => rich`${who} changed the service account ${it}: ${fields}`,
  'thread.message_create': (who, it) => rich`${who} posted the message ${it}`,
  'thread.message_delete': (who, it) => rich`${who} deleted the message ${it}`,
  'thread.message_update': (who, it) => rich`${who} edited the message ${it}`,
  'user.create': (who, it) => rich`${who} created the account ${it}`,
  'user.email_change': (who) => rich`${who} changed their e-mail address`,
  'user.erase': (who, it) => rich`${who} erased the account ${it}`,
  'user.identity_link': (who) => rich`${who} connected their account to single sign-on`,
  'user.passkey_add': (who) => rich`${who} added a passkey`,
  'user.passkey_remove': (who) => rich`${who} removed a passkey`,
  'user.passkey_update': (who) => rich`${who} renamed a passkey`,
  'user.password_change': (who) => rich`${who} changed their password`,
  'user.recovery_codes_renew': (who) => rich`${who} replaced the recovery codes`,
  'user.totp_add': (who) => rich`${who} added an authenticator app`,
  'user.totp_remove': (who) => rich`${who} removed the authenticator app of an account`,
  'user.recover_password': (who) => rich`${who} replaced a forgotten password`,
  'user.session_end': (who) => rich`${who} ended a session`,
  'user.sign_in': (who) => rich`${who} signed in`,
  'user.sign_out': (who) => rich`${who} signed out`,
  'user.sign_up': (who) => rich`${who} signed up`,
  'user.update': (who) => rich`${who} changed their name`,
  'webhook.create': (who, it) => rich`${who} added the webhook endpoint ${it}`,
  'webhook.delete': (who, it) => rich`${who} deleted the webhook endpoint ${it}`,
  'webhook.disable': (who, it) => rich`${who} disabled the webhook endpoint ${it}`,
  'webhook.replay': (who, it) => rich`${who} sent deliveries to ${it} again`,
  'webhook.rotate_secret': (who, it) => rich`${who} rotated the signing secret of ${it}`,
  'webhook.test': (who, it) => rich`${who} sent a test to ${it}`,
  'webhook.update': (who, it, fields) => rich`${who} changed the webhook endpoint ${it}: ${fields}`,
  'workflow.create': (who, it) => rich`${who} created the workflow ${it}`,
  'workflow.delete': (who, it) => rich`${who} deleted the workflow ${it}`,
  'workflow.graph_replace': (who, it) => rich`${who} replaced the graph of ${it}`,
  'workflow.update': (who, it, fields) => rich`${who} changed the workflow ${it}: ${fields}`,
  'workspace.create': (who, it) => rich`${who} created the workspace ${it}`,
  'workspace.delete': (who, it) => rich`${who} deleted the workspace ${it}`,
  'workspace.export': (who) => rich`${who} exported the workspace`,
  'workspace.export_madr': (who) => rich`${who} exported the decisions as Markdown`,
  'workspace.import': (who) => rich`${who} imported a file`,
  'workspace.import_check': (who) => rich`${who} checked a file for an import`,
  'workspace.plan_change': (who) => rich`${who} changed the plan`,
  'workspace.update': (who) => rich`${who} renamed the workspace`,

  'set status': (who, it, status) => rich`${who} set the status of ${it} to ${status}`,
  'set outcome': (who, it, outcome) => rich`${who} set the outcome of ${it} to ${outcome}`,
  'set role': (who, it, role) => rich`${who} set the role of ${it} to ${role}`,

  /** An action that is newer than this console. */
  other: (who, it, action) => rich`${who}: ${action} ${it}`,
});
