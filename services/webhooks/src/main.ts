import { runMain } from '@waymark/service-kit/process';
import { startWebhooks } from './service.ts';

await runMain(startWebhooks);
