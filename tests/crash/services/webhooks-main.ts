import { runMain } from '@waymark/service-kit/process';
import { startWebhooks } from '@waymark/webhooks';
import { crashAt } from '../support/crash-point.ts';

await runMain((env) => startWebhooks(env, crashAt('webhooks')));
