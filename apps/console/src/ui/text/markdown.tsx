import { Box, Text } from '@mantine/core';
import { CatchBoundary } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../lazy-page.ts';

const RenderedMarkdown = lazyPart(() => import('./rendered-markdown.tsx'));

/**
 * Renders Markdown; the renderer is loaded on first use. `heading` is the level below the heading above it.
 */
export function Markdown(props: { children: string; heading?: 'h2' | 'h3'; size?: 'sm' }) {
  const { children, heading = 'h3', size } = props;
  // Takes about the place of the rendered text, so that little moves.
  const unrendered = (
    <Text inherit style={{ whiteSpace: 'pre-wrap' }}>
      {children}
    </Text>
  );
  return (
    <Box {...(size && { fz: size })}>
      <CatchBoundary getResetKey={() => 'once'} errorComponent={() => unrendered}>
        <Suspense fallback={unrendered}>
          <RenderedMarkdown text={children} heading={heading} />
        </Suspense>
      </CatchBoundary>
    </Box>
  );
}
