import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { useActiveInView } from './use-active-in-view.ts';

/** One entry of the list that the arrows of the keyboard walk through. */
export function SearchOption(props: {
  id: string;
  isActive: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  const { id, isActive, onChoose, children } = props;
  const element = useActiveInView(isActive);
  return (
    // The input keeps the focus and takes the keys: the pattern of a combobox.
    <Box
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      className="search-option"
      onClick={onChoose}
    >
      {children}
    </Box>
  );
}
