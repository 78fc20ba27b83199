import type { FaultyProduct, Need } from '../faulty-product.ts';

export interface Fault {
  name: string;
  /** What the fault affects. No two faults at the same time have a target in common. */
  targets: readonly string[];
  /** What the machine must allow. */
  needs?: Need;
  begin(product: FaultyProduct): Promise<void> | void;
  /** Removes the cause. What the product does then, it does by itself. */
  end(product: FaultyProduct): Promise<void> | void;
}
