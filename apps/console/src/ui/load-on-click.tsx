import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FocusedPart } from './dialog/early-typing.tsx';

/** A button whose popover loads with the first click. `children` is the popover with its button, open. */
export function LoadOnClick(props: { label: string; icon: ReactNode; children: ReactNode }) {
  const { label, icon, children } = props;
  const [isAsked, setAsked] = useState(false);
  const unloaded = (
    <Button variant="default" leftSection={icon} aria-expanded={false} onClick={() => setAsked(true)}>
      {label}
    </Button>
  );
  return isAsked ? <FocusedPart fallback={unloaded}>{children}</FocusedPart> : unloaded;
}
