import { app } from './app.ts';
import { audit } from './audit.ts';
import { auth } from './auth.ts';
import { insight } from './insight.ts';
import { problem } from './problem.ts';
import { session } from './session.ts';
import { ui } from './ui.ts';
import { words } from './words.ts';

/** The German texts by area. The user is addressed as "du". */
export const german: Record<string, object> = {
  app,
  audit,
  auth,
  insight,
  problem,
  session,
  ui,
  words,
};
