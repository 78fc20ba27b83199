import { startAccounts } from '@waymark/accounts';
import { runMain } from '@waymark/service-kit/process';
import { crashAt } from '../support/crash-point.ts';

await runMain((env) => startAccounts(env, crashAt('accounts')));
