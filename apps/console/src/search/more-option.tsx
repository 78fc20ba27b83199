import { Box, Text } from '@mantine/core';
import { useActiveInView } from './use-active-in-view.ts';

/** At the end of a group: its next page. */
export function MoreOption(props: { id: string; isActive: boolean; label: string; onShow: () => void }) {
  const { id, isActive, label, onShow } = props;
  const element = useActiveInView(isActive);
  return (
    // The input keeps the focus and takes the keys: the pattern of a combobox.
    <Box
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      className="search-option"
      onClick={onShow}
    >
      <Text size="sm">{label}</Text>
    </Box>
  );
}
