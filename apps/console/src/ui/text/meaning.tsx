import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A term that opens its meaning. */
export function Meaning({ term, children }: { term: ReactNode; children: string }) {
  return (
    <details className="meaning">
      <summary>{term}</summary>
      <Text size="xs">{children}</Text>
    </details>
  );
}
