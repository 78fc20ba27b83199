import { useEffect, useRef } from 'react';

/** Keeps the active option in view. */
export function useActiveInView(isActive: boolean) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return element;
}
