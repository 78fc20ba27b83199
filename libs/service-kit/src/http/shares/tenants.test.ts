import { describe, expect, it } from '@jest/globals';
import { createAdmission } from '../../jobs/admission.ts';
import { tenantsOf } from './tenants.ts';

const TOTAL = 512;

describe('tenantsOf', () => {
  it('leaves half of a resource to others beside strangers in 64 networks of one subscriber', () => {
    const onRefused = () => undefined;
    const uploads = createAdmission({ what: 'uploads', total: TOTAL, onRefused, onHeld: () => undefined });
    for (let n = 0; n < 64; n += 1) {
      const tenants = tenantsOf(null, `2001:db8:1:${n.toString(16)}::1`);
      while (uploads.allowance(tenants) > 0) uploads.enter(tenants);
    }
    expect(uploads.left()).toBeGreaterThanOrEqual(TOTAL / 2);
  });
});
