import { useLocalStorage } from '@mantine/hooks';
import { useLayoutEffect } from 'react';

/** Whether rows are close together, as the user chose in this browser. console.css has both densities. */
export function useDensity() {
  const [density, setDensity] = useLocalStorage<'comfortable' | 'compact'>({
    key: 'waymark.density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
  });
  const isCompact = density === 'compact';
  // Before the rows are painted.
  useLayoutEffect(() => {
    document.documentElement.dataset['density'] = density;
  }, [density]);
  return { isCompact, toggle: () => setDensity(isCompact ? 'comfortable' : 'compact') };
}
