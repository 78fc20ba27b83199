import { runMain } from '@waymark/service-kit';
import { startWebhooks } from './service.ts';

await runMain(startWebhooks);
