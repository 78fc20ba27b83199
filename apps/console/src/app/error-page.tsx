import { Box } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** Shown instead of a page that failed to load. */
export function ErrorPage({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <Box maw={640} mx="auto" py="xl">
      <ProblemAlert error={error} retry={() => void router.invalidate()} />
    </Box>
  );
}
