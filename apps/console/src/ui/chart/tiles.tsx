import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import './tiles.css';

interface Tile {
  /** Tells it from the others. */
  id: string;
  value: string;
  name: string;
  about?: ReactNode;
}

/** Numbers side by side, each in a frame. */
export function Tiles({ tiles }: { tiles: Tile[] }) {
  return (
    <SimpleGrid className="tiles" cols={{ base: 2, sm: 5 }} spacing="sm">
      {tiles.map(({ id, value, name, about }) => (
        <Paper key={id} withBorder p="md">
          <Text size="xl" fw={600} data-count={id}>
            {value}
          </Text>
          <Text size="sm" className="sentence">
            {name}
          </Text>
          {about}
        </Paper>
      ))}
    </SimpleGrid>
  );
}
