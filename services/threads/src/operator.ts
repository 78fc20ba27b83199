import { type Database, erasePerson } from '@waymark/service-kit/store';
import { MESSAGES } from './store/index.ts';

export { exportSources } from './transfer/export-sources.ts';

export const erasePersonFromThreads = (database: Database, userId: string) =>
  erasePerson(database, userId, { [MESSAGES]: ['author', 'resolved_by', 'imported_by'] });
