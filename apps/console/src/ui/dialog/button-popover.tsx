import { Paper } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';

/**
 * A header button with a popover. It uses the browser's popover, which closes on Escape or an outside click
 * and restores the focus. Mantine's Menu would add an eighth to the first load.
 */
export function HeaderPopover(props: {
  side: 'start' | 'end';
  button: (popoverTarget: string) => ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  // The content would delay the first frame of the page.
  const [hasOpened, setOpened] = useState(false);
  // Close after a choice.
  const close = (event: SyntheticEvent<HTMLElement>) => {
    if (event.target instanceof Element && event.target.closest('a, button'))
      event.currentTarget.hidePopover();
  };
  return (
    <>
      {props.button(id)}
      <Paper
        id={id}
        popover="auto"
        className="header-popover"
        data-side={props.side}
        shadow="md"
        withBorder
        p="xs"
        onBeforeToggle={() => setOpened(true)}
        onClick={close}
      >
        {hasOpened && props.children}
      </Paper>
    </>
  );
}
