import { startDecisions } from '@waymark/decisions';
import { runMain } from '@waymark/service-kit/process';
import { crashAt } from '../support/crash-point.ts';

await runMain((env) => startDecisions(env, crashAt('decisions')));
