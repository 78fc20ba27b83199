import { runMain } from '@waymark/service-kit/process';
import { startSearch } from './service.ts';

await runMain(startSearch);
