import { useEffect, useRef } from 'react';

/** Keeps the option that the arrows have come to in sight. */
export function useActiveInView(isActive: boolean) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return element;
}
