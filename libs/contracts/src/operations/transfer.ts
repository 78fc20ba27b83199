import { z } from 'zod';
import { limits } from '../limits.ts';
import { ImportJob, importIds, WorkspaceExport } from '../resources/transfer.ts';
import { query } from '../schema/body.ts';
import { flag, inWorkspace } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { EXPORT, IN_QUERY, IN_RECORD, READ, WRITE } from './presets.ts';

export const transferOperations = operationTable('transfer', {
  exportWorkspace: {
    route: 'GET /export',
    summary: 'A snapshot of the whole workspace as one JSON document, streamed',
    ...EXPORT,
    ...IN_QUERY,
    response: { status: 200, contentType: 'application/json', schema: WorkspaceExport },
    audit: 'workspace.export',
  },
  exportMadr: {
    route: 'GET /export/madr',
    summary: 'All decisions as Markdown decision records (MADR) in a ZIP archive',
    ...EXPORT,
    ...IN_QUERY,
    response: { status: 200, contentType: 'application/zip' },
    audit: 'workspace.export_madr',
  },
  createImport: {
    route: 'POST /imports',
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
      ...inWorkspace,
      dry_run: flag().default(false).describe('Check the file and store nothing'),
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
    route: 'GET /imports/{id}',
    summary: 'How far an import is',
    ...READ,
    ...IN_RECORD,
    response: { status: 200, schema: ImportJob },
  },
});
