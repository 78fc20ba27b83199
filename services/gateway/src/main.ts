import { runMain } from '@waymark/service-kit';
import { startGateway } from './service.ts';

await runMain(startGateway);
