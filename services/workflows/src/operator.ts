export { erasePerson as erasePersonFromWorkflows } from '@waymark/service-kit/store';
export { exportSources } from './transfer/export-sources.ts';
