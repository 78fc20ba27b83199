import type { ComponentProps } from 'react';
import { lazyPart } from '../lazy-page.ts';
import { LazyPart } from '../lazy-part.tsx';

const ChangesTable = lazyPart(() => import('./comparison-table.tsx'));

/** The fields that a change affected, for a place that few open: its code loads then. */
export function ChangesOnDemand(props: ComponentProps<typeof ChangesTable>) {
  return (
    <LazyPart>
      <ChangesTable {...props} />
    </LazyPart>
  );
}
