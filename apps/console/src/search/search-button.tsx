import { ActionIcon } from '@mantine/core';
import { Search } from 'lucide-react';

export function SearchButton() {
  return (
    <ActionIcon variant="default" size="lg" aria-label="Search">
      <Search size={18} />
    </ActionIcon>
  );
}
