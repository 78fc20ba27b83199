import { runMain } from '@waymark/service-kit';
import { startAccounts } from './service.ts';

await runMain(startAccounts);
