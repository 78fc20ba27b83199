import { Progress } from '@mantine/core';

/** An indeterminate progress bar, without a value for screen readers. */
export function WorkingBar({ label }: { label: string }) {
  return (
    <Progress.Root>
      <Progress.Section value={100} animated withAria={false} role="progressbar" aria-label={label} />
    </Progress.Root>
  );
}
