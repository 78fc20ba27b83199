import { type PointerEvent, useState } from 'react';

/** The point of a chart that is nearest to the pointer, and the listeners of its svg element. */
export function usePointed(positions: readonly number[]) {
  const [pointed, setPointed] = useState<number | null>(null);
  const listeners = {
    onPointerMove({ clientX, currentTarget }: PointerEvent) {
      const at = clientX - currentTarget.getBoundingClientRect().left;
      const distances = positions.map((position) => Math.abs(position - at));
      setPointed(distances.indexOf(Math.min(...distances)));
    },
    onPointerLeave: () => setPointed(null),
  };
  return { pointed, listeners };
}
