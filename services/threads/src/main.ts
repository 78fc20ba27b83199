import { runMain } from '@waymark/service-kit/process';
import { startThreads } from './service.ts';

await runMain(startThreads);
