import { Button, Checkbox, Stack } from '@mantine/core';
import { Inbox } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { inboxTexts as t } from '../texts/inbox.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PagedList } from '../ui/list/paged-list.tsx';
import { areOn } from '../ui/list/single-keys.ts';
import { usePaged } from '../ui/list/use-paged.ts';
import { Page } from '../ui/page.tsx';
import { Hint } from '../ui/text/hint.ts';
import { useChange } from '../ui/use-change.ts';
import { inboxList } from './inbox-query.ts';
import './inbox-page.css';
import { InboxRow } from './inbox-row.tsx';

/** The notifications of the user in all workspaces, newest first. */
export function InboxPage() {
  const [isUnreadOnly, showUnreadOnly] = useState(false);
  const inbox = usePaged(inboxList(isUnreadOnly));
  const readAll = useChange({
    mutationFn: () => api.post('/notifications/read', { body: {} }),
    changes: [queryKeys.notifications],
  });
  return (
    <Page
      title={t.title}
      maxWidth={860}
      actions={
        <Button variant="default" loading={readAll.isPending} onClick={() => readAll.mutate()}>
          {t.readAll}
        </Button>
      }
    >
      <Stack>
        <Hint visibleFrom="sm">{t.keys}</Hint>
        <Checkbox
          label={t.onlyUnread}
          checked={isUnreadOnly}
          onChange={(event) => showUnreadOnly(event.currentTarget.checked)}
        />
        <PagedList
          query={inbox}
          empty={<EmptyState icon={<Inbox />} title={t.nothing} hint={t.nothingHint} />}
        >
          {(items) => (
            <ul className="inbox" aria-label={t.title} onKeyDown={moveOrAct}>
              {items.map((one) => (
                <InboxRow key={one.id} notification={one} />
              ))}
            </ul>
          )}
        </PagedList>
      </Stack>
    </Page>
  );
}

const STEPS: Record<string, 1 | -1> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** Moves the focus between the rows, and marks the row with the focus as read or unread. */
function moveOrAct(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isPlain || !(target instanceof HTMLElement) || target instanceof HTMLSelectElement) return;
  if (key.length === 1 && !areOn()) return;
  const rows = [...currentTarget.children];
  const at = rows.findIndex((row) => row.contains(target));
  const step = STEPS[key];
  if (step) rows[at + step]?.querySelector('a')?.focus();
  else if (key === 'e') rows[at]?.querySelector<HTMLElement>('[data-key="e"]')?.click();
  else return;
  event.preventDefault();
}
