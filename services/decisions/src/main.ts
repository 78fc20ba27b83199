import { runMain } from '@waymark/service-kit/process';
import { startDecisions } from './service.ts';

await runMain(startDecisions);
