import { Center, Loader } from '@mantine/core';

/** While a page or a list is on its way. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <Center py={64} role="status" aria-label={label}>
      <Loader />
    </Center>
  );
}
