import { Text } from '@mantine/core';
import { SearchOption } from './search-option.tsx';

/** The last option of a group: loads its next page. */
export function MoreOption(props: { id: string; isActive: boolean; label: string; onShow: () => void }) {
  const { id, isActive, label, onShow } = props;
  return (
    <SearchOption id={id} isActive={isActive} onChoose={onShow}>
      <Text size="sm">{label}</Text>
    </SearchOption>
  );
}
