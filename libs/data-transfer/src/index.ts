export { type BackupSources, backUp, restore } from './backup/backup.ts';
export { findBackup, type Manifest, nameInSeries, thinOut, timeOfBackup } from './backup/manifest.ts';
export { openPlace, type Place } from './backup/place.ts';
export { derivedId } from './derived-id.ts';
export { type ExportPage, firstRows, readExportPage } from './export-page.ts';
export * from './imports.ts';
export { type ExportSource, snapshotExport } from './snapshot-export.ts';
