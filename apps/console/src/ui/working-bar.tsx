import { Progress } from '@mantine/core';

/** Something goes on, and nobody knows for how long: a bar without a value, so that no screen reader hears 100 %. */
export function WorkingBar({ label }: { label: string }) {
  return (
    <Progress.Root>
      <Progress.Section value={100} animated withAria={false} role="progressbar" aria-label={label} />
    </Progress.Root>
  );
}
