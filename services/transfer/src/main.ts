import { runMain } from '@waymark/service-kit';
import { startTransfer } from './service.ts';

await runMain(startTransfer);
