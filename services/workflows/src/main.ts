import { runMain } from '@waymark/service-kit/process';
import { startWorkflows } from './service.ts';

await runMain(startWorkflows);
