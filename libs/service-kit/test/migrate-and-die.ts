import { MongoClient } from 'mongodb';
import { migrate } from '../src/store/migration/migrate.ts';
import { sampleSchema } from './sample-schema.ts';

/**
 * Migrates a database and is killed at the worst moment: a unit is applied and not recorded. Its lease
 * continues.
 */
const [url = '', name = '', unit = '1'] = process.argv.slice(2);
let applied = 0;
const client = new MongoClient(url);
await migrate(client.db(name), sampleSchema, {
  leaseMs: 600_000,
  checkpoint() {
    applied += 1;
    if (applied === Number(unit)) process.kill(process.pid, 'SIGKILL');
  },
});
