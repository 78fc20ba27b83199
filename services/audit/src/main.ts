import { runMain } from '@waymark/service-kit/process';
import { startAudit } from './service.ts';

await runMain(startAudit);
