import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { createLink } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { useState } from 'react';
import { inboxTexts as t } from '../texts/inbox.ts';
import './inbox.css';
import { inboxQuery, REFRESH_MS } from './inbox-query.ts';

const IconLink = createLink((props: ActionIconProps) => <ActionIcon component="a" {...props} />);
const SHOWN_MAX = 99;

/** Leads to the inbox, and says how many notifications are unread. */
export function Bell() {
  const isPageLoading = useIsFetching() > 0;
  const [isPageLoaded, setPageLoaded] = useState(false);
  // The page's own records come first.
  if (!isPageLoading && !isPageLoaded) setPageLoaded(true);
  const inbox = useQuery({ ...inboxQuery, enabled: isPageLoaded, refetchInterval: REFRESH_MS });
  const unread = inbox.data?.unread ?? 0;
  return (
    <IconLink to="/inbox" variant="default" size="lg" className="bell" aria-label={t.open(unread)}>
      <BellIcon size={18} />
      {unread > 0 && (
        <span className="bell-count" aria-hidden>
          {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
        </span>
      )}
    </IconLink>
  );
}
