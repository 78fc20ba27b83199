import { setFlagsFromString } from 'node:v8';
import { runMain } from '@waymark/service-kit/process';
import { startGateway } from './service.ts';

// V8 would come to place some objects of each request among the old ones, from where they keep whole finished requests alive
// until the next full collection: each minor collection then copied seven megabytes instead of half of one.
setFlagsFromString('--no-allocation-site-pretenuring');

await runMain(startGateway);
