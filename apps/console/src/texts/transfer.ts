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
      'Imports an exported workspace (JSON), Markdown decisions (ZIP), or a table of decisions (CSV in UTF-8). Existing records stay unchanged. Nothing is stored unless the whole file is valid.',
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

  csv: {
    about: (rows: number) =>
      `${plural(rows, { one: '# row', other: '# rows' })}. Choose what each column is. Days are written as 2026-05-31 or 31.05.2026, and lists with a semicolon or a new line between two entries. An external id lets the next file have the same rows: those that are here already stay as they are.`,
    columns: 'Columns of the file',
    column: 'Column',
    example: 'First value',
    field: 'Becomes',
    fieldOf: (heading: string, at: number) => `Column ${number(at)}, ${heading}, becomes`,
    leaveOut: 'Leave out',
    expected: {
      day: 'is not a day such as 2026-05-31 or 31.05.2026',
      word: (words: string) => `can be ${words}`,
    },
    needsTitle: 'Choose the column that has the title or the question.',
    unreadable: 'This table cannot be read',
    empty: 'The file is empty. Its first row names the columns.',
    headerOnly: 'The file has no row below the first one, which names the columns.',
    openQuote: (row: number) => `A quotation mark in row ${number(row)} is not closed.`,
    tooManyCells: (row: number, columns: number) =>
      `Row ${number(row)} has more than ${number(columns)} cells. Put a cell with a separator in quotation marks.`,
    tooManyColumns: (most: number) => `A table can have ${number(most)} columns.`,
    tooManyRows: (most: number) => `A table can have ${number(most)} rows. Import it in parts.`,
    tooLarge: (mebibytes: number) => `A table can have ${number(mebibytes)} MiB. Import it in parts.`,
    notUtf8: 'The file is not in UTF-8. In a spreadsheet, save it as “CSV UTF-8”.',
  },

  report: {
    row: (row: number, field?: string) => `Row ${number(row)}${field ? `, ${field}` : ''}`,
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
      threads: 'discussions',
      messages: 'messages',
      approval_rules: 'rules of approvals',
    },
  },
});
