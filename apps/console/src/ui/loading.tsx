import { Center, Loader } from '@mantine/core';

/** Shown while a page or a list loads. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <Center py="2xl" role="status" aria-label={label}>
      <Loader />
    </Center>
  );
}
