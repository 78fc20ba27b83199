import { z } from 'zod';
import { limits } from '../limits.ts';
import { ImportJob, importIds, WorkspaceExport } from '../resources/transfer.ts';
import { flag } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { EXPORT, inQuery, ofRecord, READ, WRITE } from './presets.ts';

export const transferOperations = operationTable('transfer', {
  exportWorkspace: {
    route: 'GET /export',
    summary: 'A snapshot of the whole workspace as one JSON document, streamed',
    ...inQuery(EXPORT),
    response: { status: 200, contentType: 'application/json', schema: WorkspaceExport },
    audit: 'workspace.export',
  },
  exportMadr: {
    route: 'GET /export/madr',
    summary: 'All decisions as Markdown decision records (MADR) in a ZIP archive',
    ...inQuery(EXPORT),
    response: { status: 200, contentType: 'application/zip' },
    audit: 'workspace.export_madr',
  },
  createImport: {
    route: 'POST /imports',
    summary:
      'Import an exported workspace, or an archive of Markdown decisions; the answer is the import job',
    description:
      'Nothing is stored unless the whole file is valid. Records that the workspace already has stay as they are, so that ' +
      'the same file can be imported again. An import makes one audit entry, and of webhooks sends only workspace.import_finished, at its end. ' +
      'Rules of approvals come only into a workspace without rules, from an admin with a session, with an audit entry and an event of their own. ' +
      'With dryRun it sends none.',
    ...inQuery(WRITE, {
      dry_run: flag().default(false).describe('Check the file and store nothing'),
      ids: z
        .enum(importIds)
        .default('keep')
        .describe(
          'keep the ids of the file (an id of another workspace is an issue), or remap all to new ones',
        ),
    }),
    // The file names the authors of its messages, and a member must not post in the name of others.
    role: 'admin',
    bodyContentTypes: ['application/json', 'application/zip'],
    bodyLimitBytes: limits.importBodyBytes,
    response: { status: 202, schema: ImportJob },
    errors: ['LIMIT_EXCEEDED'],
    audit: 'workspace.import',
  },
  getImport: {
    route: 'GET /imports/{id}',
    summary: 'Read the progress of an import',
    ...ofRecord(READ),
    response: { status: 200, schema: ImportJob },
  },
});
