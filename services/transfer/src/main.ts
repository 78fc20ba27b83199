import { runMain } from '@waymark/service-kit/process';
import { startTransfer } from './service.ts';

await runMain(startTransfer);
