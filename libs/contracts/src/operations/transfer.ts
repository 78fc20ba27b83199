import { z } from 'zod';
import { limits } from '../limits.ts';
import { EXPORT, operationTable, READ, WRITE } from '../operation.ts';
import { ImportJob, importIds, WorkspaceExport } from '../resources/transfer.ts';
import { flag, query, uuid, workspaceQuery } from '../schema.ts';

export const transferOperations = operationTable('transfer', {
  exportWorkspace: {
    method: 'GET',
    path: '/export',
    summary: 'A snapshot of the whole workspace as one JSON document, streamed',
    ...EXPORT,
    workspace: 'query',
    query: query(workspaceQuery),
    response: { status: 200, contentType: 'application/json', schema: WorkspaceExport },
    audit: 'workspace.export',
  },
  exportMadr: {
    method: 'GET',
    path: '/export/madr',
    summary: 'All decisions as Markdown decision records (MADR) in a ZIP archive',
    ...EXPORT,
    workspace: 'query',
    query: query(workspaceQuery),
    response: { status: 200, contentType: 'application/zip' },
    audit: 'workspace.export_madr',
  },
  createImport: {
    method: 'POST',
    path: '/imports',
    summary: 'Import an exported workspace; answers with the job that does it',
    description: 'No webhooks are sent for what is imported, and one audit entry stands for all of it.',
    ...WRITE,
    // The file names the authors of its messages: for a session that is more than a member's word.
    role: 'admin',
    workspace: 'query',
    query: query({
      ...workspaceQuery,
      dryRun: flag().default(false).describe('Check the file and store nothing'),
      ids: z
        .enum(importIds)
        .default('keep')
        .describe('keep the ids of the file (a foreign one is a CONFLICT), or remap all to new ones'),
    }),
    bodyContentTypes: ['application/json'],
    bodyLimitBytes: limits.importBodyBytes,
    response: { status: 202, schema: ImportJob },
    errors: ['CONFLICT'],
    audit: 'workspace.import',
    planned: true,
  },
  getImport: {
    method: 'GET',
    path: '/imports/{id}',
    summary: 'How far an import is',
    ...READ,
    workspace: 'record',
    query: query({ workspaceId: uuid().optional() }),
    response: { status: 200, schema: ImportJob },
    planned: true,
  },
});
