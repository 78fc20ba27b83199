import { startNotifications } from '@waymark/notifications';
import { runMain } from '@waymark/service-kit/process';
import { crashAt } from '../support/crash-point.ts';

await runMain((env) => startNotifications(env, { ...crashAt('notifications'), dueMs: 200, mailMs: 200 }));
