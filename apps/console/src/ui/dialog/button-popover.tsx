import { Paper } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';

/**
 * A button with a popover below it. It uses the browser's popover, which closes on Escape or an outside click
 * and restores the focus. Mantine's Menu would add an eighth to the first load.
 */
export function ButtonPopover(props: {
  /** The edge that the popover shares with the button. */
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
  const open = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    placeBelow(document.querySelector(`[popovertarget="${id}"]`)!, currentTarget, props.side);
    setOpened(true);
  };
  return (
    <>
      {props.button(id)}
      <Paper
        id={id}
        popover="auto"
        className="popover"
        shadow="md"
        withBorder
        p="xs"
        onBeforeToggle={open}
        onClick={close}
      >
        {hasOpened && props.children}
      </Paper>
    </>
  );
}

/** Below a button of the page, a popover scrolls with it; the header does not scroll. */
function placeBelow(button: Element, { style }: HTMLElement, side: 'start' | 'end'): void {
  const { left, right, bottom } = button.getBoundingClientRect();
  const { clientWidth, dir } = document.documentElement;
  const isFixed = button.closest('header') !== null;
  style.position = isFixed ? 'fixed' : 'absolute';
  style.top = `${bottom + (isFixed ? 0 : scrollY)}px`;
  if ((side === 'start') === (dir === 'rtl')) style.right = `${clientWidth - right}px`;
  // As wide as those of the header, if the window becomes narrower.
  else style.left = `min(${left}px, 100vw - 268px)`;
}
