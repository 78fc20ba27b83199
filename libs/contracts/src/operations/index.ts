import { accountOperations } from './accounts.ts';
import { auditOperations } from './audit.ts';
import { decisionOperations } from './decisions.ts';
import { gatewayOperations } from './gateway.ts';
import {
  internalAccountOperations,
  internalAuditOperations,
  internalDecisionImports,
  internalDecisionOperations,
  internalSearchOperations,
  internalThreadImports,
  internalThreadOperations,
  internalTransferOperations,
  internalWebhookOperations,
  internalWorkflowImports,
  internalWorkflowOperations,
} from './internal.ts';
import { invitationOperations } from './invitations.ts';
import { combineTables, type Operation } from './operation.ts';
import { searchOperations } from './search.ts';
import { threadOperations } from './threads.ts';
import { transferOperations } from './transfer.ts';
import { webhookOperations } from './webhooks.ts';
import { workflowOperations } from './workflows.ts';

/**
 * Every public operation: the gateway, the services, OpenAPI, the client and many tests derive from this
 * table.
 */
export const operations = combineTables(
  gatewayOperations,
  accountOperations,
  invitationOperations,
  decisionOperations,
  workflowOperations,
  threadOperations,
  searchOperations,
  auditOperations,
  webhookOperations,
  transferOperations,
);
/** Operations between services. */
export const internalOperations = combineTables(
  internalAccountOperations,
  internalAuditOperations,
  internalDecisionOperations,
  internalDecisionImports,
  internalSearchOperations,
  internalThreadOperations,
  internalThreadImports,
  internalTransferOperations,
  internalWebhookOperations,
  internalWorkflowImports,
  internalWorkflowOperations,
);
export const allOperations = combineTables(operations, internalOperations);

export type Operations = typeof allOperations;
export type OperationId = keyof Operations;
export type PublicOperationId = keyof typeof operations;
export type InternalOperationId = keyof typeof internalOperations;

/** The operations of a service; each needs a handler. */
export type OperationIdOf<S extends string> = {
  [K in OperationId]: Operations[K] extends { service: S } ? K : never;
}[OperationId];

export const operationList: readonly Operation[] = Object.values(operations);
export const internalOperationList: readonly Operation[] = Object.values(internalOperations);
