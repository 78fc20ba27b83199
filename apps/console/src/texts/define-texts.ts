import { direction, language } from './language.ts';

const areas = new Map<string, object>();
let translation: Record<string, object> = {};

/**
 * Defines the English texts of an area. `loadTexts` replaces them by their translation, so that code reads
 * them when it shows them and not when its file is loaded.
 */
export function defineTexts<T extends object>(area: string, english: T): T {
  areas.set(area, english);
  return Object.assign(english, translation[area]);
}

/** Loads the texts of the user's language. Without them, the texts stay English. */
export async function loadTexts(): Promise<void> {
  document.documentElement.dir = direction;
  if (language !== 'de') return;
  try {
    translation = await import('./de/index.ts');
  } catch {
    return;
  }
  document.documentElement.lang = language;
  for (const [area, texts] of areas) Object.assign(texts, translation[area]);
}
