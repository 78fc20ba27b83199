/** The languages of the console, each under its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

/** `ar-XB` is the pseudo-language with which right-to-left layout is tested: the English texts, mirrored. */
export type Language = keyof typeof LANGUAGES | 'ar-XB';

const KEY = 'waymark.language';
const isLanguage = (code: string | null | undefined): code is Language =>
  code === 'ar-XB' || (code != null && Object.hasOwn(LANGUAGES, code));

/** Returns whether `Intl` accepts it. Chromium names the system's locale POSIX `en-US@posix`. */
function isLocale(candidate: string): boolean {
  try {
    return Intl.getCanonicalLocales(candidate).length > 0;
  } catch {
    return false;
  }
}

/** The languages that the browser prefers, best first. Tests of functions run without a browser. */
const preferred: readonly string[] =
  typeof document === 'undefined' ? [] : navigator.languages.filter(isLocale);
const languageOf = (locale: string) => locale.split('-')[0];

/** The language that the user chose in this browser, or else the first preferred one that the console has. */
export const language: Language = chosen() ?? preferred.map(languageOf).find(isLanguage) ?? 'en';

/** The locale of dates and numbers: the user's regional variant of the language, such as `en-GB`. */
export const locale = preferred.find((candidate) => languageOf(candidate) === language) ?? language;

/** The direction of the layout. */
export const direction = language === 'ar-XB' ? 'rtl' : 'ltr';

function chosen(): Language | undefined {
  if (typeof document === 'undefined') return undefined;
  const code = localStorage.getItem(KEY);
  return isLanguage(code) ? code : undefined;
}

/** Stores the user's choice and shows the page again in this language. */
export function chooseLanguage(code: Language): void {
  localStorage.setItem(KEY, code);
  location.reload();
}
