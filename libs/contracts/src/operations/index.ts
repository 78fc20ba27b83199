import { accountOperations } from './accounts.ts';
import { auditOperations } from './audit.ts';
import { batchOperations } from './batch.ts';
import { decisionOperations } from './decisions.ts';
import { gatewayOperations } from './gateway.ts';
import { internalOperations } from './internal.ts';
import { notificationOperations } from './notifications.ts';
import { combineTables, type Operation } from './operation.ts';
import { searchOperations } from './search.ts';
import { threadOperations } from './threads.ts';
import { transferOperations } from './transfer.ts';
import { webhookOperations } from './webhooks.ts';
import { workflowOperations } from './workflows.ts';
import { workspaceOperations } from './workspaces.ts';

/** Every public operation: the gateway, the services, OpenAPI and the client derive from this table. */
export const operations = combineTables(
  gatewayOperations,
  accountOperations,
  workspaceOperations,
  decisionOperations,
  workflowOperations,
  threadOperations,
  searchOperations,
  auditOperations,
  webhookOperations,
  transferOperations,
  batchOperations,
  notificationOperations,
);
export { readsSettings } from './presets.ts';
export { internalOperations };
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
