import { NativeSelect } from '@mantine/core';
import { Languages } from 'lucide-react';
import { chooseLanguage, LANGUAGES, type Language, language } from '../texts/language.ts';
import { uiTexts as t } from '../texts/ui.ts';

export const languageOptions = Object.entries({ ...LANGUAGES, 'ar-XB': 'ar-XB' })
  .map(([value, label]) => ({ value, label }))
  .filter(({ value }) => value in LANGUAGES || value === language);

/** Chooses the language of the console in this browser. */
export function LanguageSelect({ choose = chooseLanguage }: { choose?: (code: Language) => void }) {
  return (
    <NativeSelect
      size="xs"
      variant="unstyled"
      aria-label={t.language}
      data={languageOptions}
      value={language}
      onChange={(event) => choose(event.currentTarget.value as Language)}
      // In line with the other places of a menu.
      leftSectionWidth={40}
      leftSection={<Languages size={16} />}
    />
  );
}
