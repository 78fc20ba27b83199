import { settingsAccountTexts as t } from '../../texts/settings-account.ts';

const BROWSERS = /(Edg|OPR|Firefox|Chrome|Safari)[A-Za-z]*\/(\d+)/;
const SYSTEMS = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/;
const NAMES: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };

/** Returns the browser's common name, or the complete user agent of other programs. */
export function browserOf(userAgent: string | null): string {
  if (!userAgent) return t.sessions.unknownBrowser;
  const browser = BROWSERS.exec(userAgent);
  const system = SYSTEMS.exec(userAgent)?.[1];
  if (!browser || !system) return userAgent;
  const word = (name: string) => NAMES[name] ?? name;
  return t.sessions.browserOn(`${word(browser[1]!)} ${browser[2]}`, word(system));
}
