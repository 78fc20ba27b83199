import { z } from 'zod';
import { limits } from '../limits.ts';
import { ImportJob, importIds, WorkspaceExport } from '../resources/transfer.ts';
import { flag, query, uuid, workspaceQuery } from '../schema/types.ts';
import { EXPORT, operationTable, READ, WRITE } from './operation.ts';

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
    summary:
      'Import an exported workspace, or an archive of Markdown decisions; answers with the job that does it',
    description:
      'Nothing is stored unless the whole file is valid. What the workspace has already stays as it is there, so that the ' +
      'same file can be imported again. No webhooks are sent for what is imported, and one audit entry stands for all of it.',
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
        .describe(
          'keep the ids of the file (one that another workspace has is an issue), or remap all to new ones',
        ),
    }),
    bodyContentTypes: ['application/json', 'application/zip'],
    bodyLimitBytes: limits.importBodyBytes,
    response: { status: 202, schema: ImportJob },
    errors: ['LIMIT_EXCEEDED'],
    audit: 'workspace.import',
  },
  getImport: {
    method: 'GET',
    path: '/imports/{id}',
    summary: 'How far an import is',
    ...READ,
    workspace: 'record',
    query: query({ workspaceId: uuid().optional() }),
    response: { status: 200, schema: ImportJob },
  },
});
