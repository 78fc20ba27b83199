import { Button } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { appTexts } from '../texts/app.ts';
import { uiTexts as t } from '../texts/ui.ts';
import { ButtonLink } from './links.tsx';

/** The lists with pages of their records. */
const PAGE_OF_RECORD = /^(\/w\/[^/]+\/(decisions|workflows|webhooks))\//;

/** Instead of a record that does not exist: the list of its kind, and the search. */
export default function WaysOn() {
  const [, to, list] = PAGE_OF_RECORD.exec(useLocation().pathname) ?? [];
  if (!to) return null;
  return (
    <>
      <ButtonLink size="xs" variant="default" to={to}>
        {appTexts.pages[list as keyof typeof appTexts.pages]}
      </ButtonLink>
      <Button size="xs" variant="default" onClick={openSearch}>
        {t.search}
      </Button>
    </>
  );
}

/** By its shortcut, because the dialog is the shell's. */
function openSearch(): void {
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
}
