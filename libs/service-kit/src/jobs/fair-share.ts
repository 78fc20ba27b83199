/** How much more may be taken, of what is left, by one that has `taken` so much; nothing at 0 or less. */
export type SharePolicy = (taken: number, left: number) => number;

/**
 * Up to `ratio` times as much as is left free after it. One alone gets much, many get equal parts after a
 * moment, and however long they keep them, something is left for the next one.
 */
export function inProportion(ratio: number): SharePolicy {
  return (taken, left) => Math.ceil((ratio * left - taken) / (1 + ratio));
}

/** Up to `max` for each, as long as something is left. */
export function upTo(max: number): SharePolicy {
  return (taken, left) => Math.min(max - taken, left);
}

/**
 * A limited amount, shared between tenants, and where `perTenant` is given between the members of each tenant
 * too.
 */
export interface FairShare<Member> {
  /** What nobody has taken. */
  left(): number;
  taken(member: Member): number;
  /** How much more a member may take now; nothing at 0 or less. */
  allowance(member: Member): number;
  /** How much more a tenant may take now, whichever of its members does. */
  tenantAllowance(tenant: string): number;
  take(member: Member, amount?: number): void;
  give(member: Member, amount?: number): void;
}

/** A member that counts to several tenants takes from each of them, and once from the total. */
export function fairShare<Member>(options: {
  total: number;
  policy: SharePolicy;
  tenantsOf: (member: Member) => readonly string[];
  /** What the members of a tenant share by the same policy; without it, only tenants are counted. */
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
