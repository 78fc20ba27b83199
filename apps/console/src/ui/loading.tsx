import { Center, Loader } from '@mantine/core';
import { uiTexts as t } from '../texts/ui.ts';

/** Shown while a page or a list loads. */
export function Loading({ label = t.loading }: { label?: string }) {
  return (
    <Center py="2xl" role="status" aria-label={label}>
      <Loader />
    </Center>
  );
}
