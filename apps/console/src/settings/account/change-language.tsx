import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useLanguage } from '../../session/use-language.ts';
import { type Language, language } from '../../texts/language.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { languageOptions } from '../../ui/language-select.tsx';
import { Setting, SettingFooter } from '../setting.tsx';

/** The languages of the console and of mails. */
export function ChangeLanguage({ ofMails }: { ofMails: Language }) {
  const t = settingsAccountTexts.language;
  const change = useLanguage();
  const select = (ofConsole: boolean) => (
    <NativeSelect
      label={ofConsole ? t.everywhere : t.mails}
      data={languageOptions}
      value={ofConsole ? language : ofMails}
      disabled={change.isPending}
      onChange={(event) => change.mutate({ code: event.currentTarget.value as Language, ofConsole })}
    />
  );
  return (
    <Setting id="change-language" title={ui.language}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {select(true)}
        {select(false)}
      </SimpleGrid>
      <SettingFooter hint={t.hint} />
    </Setting>
  );
}
