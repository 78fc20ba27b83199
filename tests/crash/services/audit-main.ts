import { startAudit } from '@waymark/audit';
import { runMain } from '@waymark/service-kit/process';
import { crashAt } from '../support/crash-point.ts';

await runMain((env) => startAudit(env, crashAt('audit')));
