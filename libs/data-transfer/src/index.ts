export { derivedId } from './derived-id.ts';
export { type ExportPage, firstRows, readExportPage } from './export-page.ts';
export * from './imports.ts';
export { type ExportSource, snapshotExport } from './snapshot-export.ts';
