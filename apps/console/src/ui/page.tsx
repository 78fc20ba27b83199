import { Box, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

let shownPath: string | undefined;
let focusedPath: string | undefined;

/** Moves the focus to the heading of a page that a link has opened, so that it is announced. */
function useFocusedHeading(): void {
  useEffect(() => {
    const { pathname } = location;
    if (shownPath !== undefined && shownPath !== pathname) focusedPath = pathname;
    shownPath = pathname;
    if (focusedPath !== pathname) return;
    // A field of the new page, or a dialog, may have the focus already.
    if (document.activeElement?.matches('main :is(input, textarea, select), [role="dialog"] *')) return;
    const heading = document.querySelector<HTMLElement>('main h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }, []);
}

/** A page's heading and actions, and the title of the browser tab. */
export function Page(props: {
  title: string;
  /** A link to the page above, before the heading. */
  back?: ReactNode;
  /** The heading, if it is more than the title. */
  heading?: ReactNode;
  /** Their buttons and links are found by the search, too. */
  actions?: ReactNode;
  children: ReactNode;
  maxWidth?: number;
}) {
  useEffect(() => {
    document.title = `${props.title} · Waymark`;
  }, [props.title]);
  useFocusedHeading();
  return (
    <Box maw={1200} mx="auto">
      {props.back && <Box mb="2xs">{props.back}</Box>}
      <Group justify="space-between" mb="lg" gap="sm">
        {props.heading ?? <Title order={1}>{props.title}</Title>}
        {props.actions && (
          <Group gap="xs" data-actions>
            {props.actions}
          </Group>
        )}
      </Group>
      <Box maw={props.maxWidth}>{props.children}</Box>
    </Box>
  );
}
