export { type BackupSources, backUp, type RestoreOptions, restore } from './backup/backup.ts';
export { findBackup, type Manifest, nameInSeries, timeOfBackup } from './backup/manifest.ts';
export { backUpOplog } from './backup/oplog/back-up-oplog.ts';
export { openPlace, type Place } from './backup/place.ts';
export { thinOut } from './backup/thin-out.ts';
export { derivedId } from './derived-id.ts';
export { type ExportPage, firstRows, readExportPage } from './export-page.ts';
export * from './imports.ts';
export { type ExportSource, snapshotExport } from './snapshot-export.ts';
