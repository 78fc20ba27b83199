/** Returns how much more of `left` may be taken by someone who has `taken`; nothing at 0 or less. */
export type SharePolicy = (taken: number, left: number) => number;

/** Allows up to `ratio` times the amount that stays free, so that something is left for the next one. */
export function inProportion(ratio: number): SharePolicy {
  return (taken, left) => Math.ceil((ratio * left - taken) / (1 + ratio));
}

/** Allows up to `max` for each, as long as something is left. */
export function upTo(max: number): SharePolicy {
  return (taken, left) => Math.min(max - taken, left);
}

/** A limited amount that tenants share. */
export interface FairShare<Member> {
  /** Returns the amount that nobody has taken. */
  left(): number;
  taken(member: Member): number;
  /** Returns how much more a member may take now; nothing at 0 or less. */
  allowance(member: Member): number;
  /** Returns how much more a tenant may take now, through any of its members. */
  tenantAllowance(tenant: string): number;
  take(member: Member, amount?: number): void;
  give(member: Member, amount?: number): void;
}

/** Creates a fair share. A member with several tenants takes from each of them, and once from the total. */
export function fairShare<Member>(options: {
  total: number;
  policy: SharePolicy;
  tenantsOf: (member: Member) => readonly string[];
  /** The amount that the members of a tenant share by the same policy; only tenants are limited without. */
  perTenant?: number;
}): FairShare<Member> {
  const { total, policy, tenantsOf, perTenant } = options;
  const byTenant = new Map<string, number>();
  const byMember = new Map<Member, number>();
  let left = total;

  const ofTenant = (tenant: string) => byTenant.get(tenant) ?? 0;
  const taken = (member: Member) => byMember.get(member) ?? 0;
  const tenantAllowance = (tenant: string) => policy(ofTenant(tenant), left);
  const memberAllowance = (member: Member, tenant: string) =>
    perTenant === undefined ? Number.POSITIVE_INFINITY : policy(taken(member), perTenant - ofTenant(tenant));

  function take(member: Member, amount = 1): void {
    left -= amount;
    for (const tenant of tenantsOf(member)) add(byTenant, tenant, amount);
    if (perTenant !== undefined) add(byMember, member, amount);
  }

  return {
    left: () => left,
    taken,
    tenantAllowance,
    allowance: (member) =>
      Math.min(
        ...tenantsOf(member).flatMap((tenant) => [tenantAllowance(tenant), memberAllowance(member, tenant)]),
      ),
    take,
    give: (member, amount = 1) => take(member, -amount),
  };
}

function add<Key>(counts: Map<Key, number>, key: Key, amount: number): void {
  const count = (counts.get(key) ?? 0) + amount;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
