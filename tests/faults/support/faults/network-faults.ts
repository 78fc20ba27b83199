import { serviceNames, storeNames } from '../faulty-product.ts';
import type { Fault } from './fault.ts';

export const networkFaults = [...serviceNames, ...storeNames].flatMap((name) =>
  (['slow', 'half-open'] as const).map(
    (network): Fault => ({
      name: `${network} network to ${name}`,
      targets: [`network to ${name}`],
      begin: ({ proxies }) => proxies[name].become(network),
      end({ proxies }) {
        proxies[name].become('fast');
        // The test's own clients would wait forever.
        if (name === 'gateway') proxies[name].reset();
      },
    }),
  ),
);
