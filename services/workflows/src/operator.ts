export { exportSources } from './transfer/export-sources.ts';
