import { runMain } from '@waymark/service-kit';
import { startThreads } from './service.ts';

await runMain(startThreads);
