import { audit } from './audit.ts';
import { insight } from './insight.ts';
import { session } from './session.ts';
import { ui } from './ui.ts';
import { words } from './words.ts';

/** The German texts by area. The user is addressed as "du". */
export const german: Record<string, object> = {
  audit,
  insight,
  session,
  ui,
  words,
};
