import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import './fact.css';

/** A fact, with its name at the start of the line. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="fact">
      <Text span size="sm" c="dimmed">
        {label}
      </Text>
      <Text span size="sm">
        {children}
      </Text>
    </div>
  );
}
