import { runMain } from '@waymark/service-kit/process';
import { startAccounts } from './service.ts';

await runMain(startAccounts);
