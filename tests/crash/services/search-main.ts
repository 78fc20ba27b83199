import { startSearch } from '@waymark/search';
import { runMain } from '@waymark/service-kit/process';
import { crashAt } from '../support/crash-point.ts';

await runMain((env) => startSearch(env, crashAt('search', 'handled')));
