import { runMain } from '@waymark/service-kit/process';
import { startNotifications } from './service.ts';

await runMain(startNotifications);
