import { defineTexts } from './define-texts.ts';
import { number, plural } from './format.ts';

/** Export of a workspace, and import into it. */
export const transferTexts = defineTexts('transfer', {
  title: 'Export and import',

  export: {
    title: 'Export',
    as: (format: string) => `Export ${format}`,
    formats: {
      JSON: 'The whole workspace, for import.',
      CSV: 'All decisions as a table, for a spreadsheet.',
      MADR: 'All decisions as Markdown records, in a ZIP archive.',
    },
  },

  import: {
    title: 'Import',
    forAdmins:
      'A file names the authors of its records, so only admins and owners of this workspace can import.',
    about:
      'Imports an exported workspace (JSON) or Markdown decisions (ZIP). Existing records stay unchanged. Nothing is stored unless the whole file is valid.',
    file: 'File',
    chooseFile: 'Choose a file',
    ids: 'Ids',
    keepIds: 'Keep the ids of the file: existing links continue to work',
    newIds: 'Assign new ids: creates a copy',
    check: 'Check file',
    start: 'Import now',
    sending: 'Sending the file',
    queued: 'Waiting to start',
    phases: { reading: 'Reading', checking: 'Checking', writing: 'Storing' },
    done: (phase: string, done: number) =>
      `${phase}: ${plural(done, { one: '# record', other: '# records' })}`,
    doneOf: (phase: string, done: number, total: number) =>
      `${phase}: ${number(done)} of ${plural(total, { one: '# record', other: '# records' })}`,
  },

  report: {
    importable: 'The file can be imported',
    imported: 'The file is imported',
    stopped: 'The import stopped halfway. Import the same file again to continue.',
    refused: 'The file cannot be imported. Nothing was stored.',
    errors: 'Errors',
    warnings: 'Warnings',
    count: (title: string, count: number) => `${title} (${number(count)})`,
    more: (count: number) => `And ${number(count)} more.`,
    noRecords: 'No records.',
    table: 'Records of the file',
    kind: 'Records',
    total: 'In the file',
    stored: 'Stored',
    present: 'Here already',
    leftOut: 'Left out',
    kinds: {
      workflows: 'workflows',
      nodes: 'nodes',
      edges: 'edges',
      decisions: 'decisions',
      outcomes: 'outcomes',
      approvals: 'approvals',
      forecasts: 'forecasts',
      history: 'history',
      links: 'links',
      threads: 'threads',
      messages: 'messages',
    },
  },
});
