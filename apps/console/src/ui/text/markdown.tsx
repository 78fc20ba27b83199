import { Box, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';

const RenderedMarkdown = lazy(() => import('./rendered-markdown.tsx'));

/**
 * Renders Markdown; the renderer is loaded on first use. `heading` is the level below the heading above it.
 */
export function Markdown(props: { children: string; heading?: 'h2' | 'h3'; size?: 'sm' }) {
  const { children, heading = 'h3', size } = props;
  return (
    <Box {...(size && { fz: size })}>
      <Suspense fallback={<Loader size="sm" />}>
        <RenderedMarkdown text={children} heading={heading} />
      </Suspense>
    </Box>
  );
}
