import { startNats } from '../src/index.ts';

await startNats(JSON.parse(process.argv[2] ?? ''));
console.log('started');
