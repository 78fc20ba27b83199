import { runMain } from '@waymark/service-kit';
import { startDecisions } from './service.ts';

await runMain(startDecisions);
