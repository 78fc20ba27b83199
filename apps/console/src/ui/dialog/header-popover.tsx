import { Paper } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useId } from 'react';

/**
 * A button of the header with what it opens: the browser's own popover, which closes by Escape or a click elsewhere and gives
 * the focus back. Mantine's Menu would weigh an eighth of the first load.
 */
export function HeaderPopover(props: {
  side: 'start' | 'end';
  button: (popoverTarget: string) => ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  // What is chosen in it leads elsewhere, and it has done its part.
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
        onClick={close}
      >
        {props.children}
      </Paper>
    </>
  );
}
