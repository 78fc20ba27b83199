import { runMain } from '@waymark/service-kit';
import { startSearch } from './service.ts';

await runMain(startSearch);
