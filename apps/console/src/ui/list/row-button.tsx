import { Button } from '@mantine/core';
import type { AnyButtonProps } from '../form.tsx';

/** A small button in a row, or below a message. */
export function RowButton(props: AnyButtonProps) {
  return <Button size="compact-sm" variant="default" {...props} />;
}
