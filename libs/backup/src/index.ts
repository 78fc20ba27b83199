export { type BackupSources, backUp, type RestoreOptions, restore } from './backup.ts';
export { findBackup, type Manifest, nameInSeries, timeOfBackup } from './manifest.ts';
export { backUpOplog } from './oplog/back-up-oplog.ts';
export { openPlace, type Place } from './place.ts';
export { thinOut } from './thin-out.ts';
