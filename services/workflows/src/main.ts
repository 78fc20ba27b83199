import { runMain } from '@waymark/service-kit';
import { startWorkflows } from './service.ts';

await runMain(startWorkflows);
