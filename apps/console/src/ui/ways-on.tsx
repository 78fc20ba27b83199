import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { appTexts } from '../texts/app.ts';
import { uiTexts as t } from '../texts/ui.ts';

/** The lists with pages of their records. */
const PAGE_OF_RECORD = /^(\/w\/[^/]+\/(decisions|workflows|webhooks))\//;

/** Instead of a record that does not exist: the list of its kind, and the search. */
export default function WaysOn() {
  const [, to, list] = PAGE_OF_RECORD.exec(useLocation().pathname) ?? [];
  if (!to) return null;
  return (
    <>
      <Button size="xs" variant="default" renderRoot={(props) => <Link to={to} {...props} />}>
        {appTexts.pages[list as keyof typeof appTexts.pages]}
      </Button>
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
