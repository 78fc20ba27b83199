import { type FaultyProduct, type ProcessName, serviceNames, storeNames } from '../faulty-product.ts';
import type { Fault } from './fault.ts';

/** A service takes 41 to start from its source, with Node's type stripper; the rest is for light work. */
const HEAP_MB = 56;

const processNames: readonly ProcessName[] = [...serviceNames, ...storeNames];

function processOf({ stores, ...product }: FaultyProduct, name: ProcessName) {
  return name in stores
    ? stores[name as keyof typeof stores]
    : product.processOf(name as (typeof serviceNames)[number]);
}

const serviceKills = serviceNames.map(
  (name): Fault => ({
    name: `kill ${name}`,
    targets: [name],
    begin: (product) => product.processOf(name).kill('SIGKILL'),
    end: (product) => product.processOf(name).restart(),
  }),
);

/** The supervisor restarts stores. */
const storeKills = storeNames.map(
  (name): Fault => ({
    name: `kill ${name}`,
    targets: [name],
    begin: ({ stores }) => stores[name].kill('SIGKILL'),
    end: () => undefined,
  }),
);

export const kills: readonly Fault[] = [...serviceKills, ...storeKills];

export const pauses = processNames.map(
  (name): Fault => ({
    name: `pause ${name}`,
    targets: [name],
    begin: (product) => processOf(product, name).kill('SIGSTOP'),
    end: (product) => processOf(product, name).kill('SIGCONT'),
  }),
);

export const smallHeaps = serviceNames.map(
  (name): Fault => ({
    name: `small heap of ${name}`,
    targets: [name],
    begin: (product) => product.processOf(name).restart({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` }),
    end: (product) => product.processOf(name).restart({ NODE_OPTIONS: undefined }),
  }),
);
