import { runMain } from '@waymark/service-kit/process';
import { startGateway } from './service.ts';

await runMain(startGateway);
