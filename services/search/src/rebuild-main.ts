import { openService } from '@waymark/service-kit';
import { readConfig } from './config.ts';
import { rebuildProjection } from './rebuild.ts';
import { schema } from './schema.ts';
import { searchStore } from './store.ts';

/** The projection made anew from the data services, beside the running ones; reads the environment that they do. */
const runtime = openService(schema, readConfig(process.env));
try {
  await runtime.database.ready;
  const store = searchStore(runtime.database, runtime.now);
  for await (const { kind, read, removed } of rebuildProjection(store, runtime.call)) {
    process.stdout.write(`${kind}: ${read} read, ${removed} removed that were there no more\n`);
  }
  process.exitCode = 0;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
await runtime.close();
await runtime.database.close();
process.exit();
