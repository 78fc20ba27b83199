import { Box } from '@mantine/core';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';

/** An option of the list that the arrow keys move through. The active one stays in view. */
export function SearchOption(props: {
  id: string;
  isActive: boolean;
  /** Called for a click with the left or the middle button. */
  onChoose: (event: MouseEvent) => void;
  children: ReactNode;
}) {
  const { id, isActive, onChoose, children } = props;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // The input keeps the focus and handles the keys, as in the ARIA combobox pattern.
    <Box
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      className="search-option"
      onClick={onChoose}
      onAuxClick={(event) => event.button === 1 && onChoose(event)}
    >
      {children}
    </Box>
  );
}
