import { runMain } from '@waymark/service-kit';
import { startAudit } from './service.ts';

await runMain(startAudit);
