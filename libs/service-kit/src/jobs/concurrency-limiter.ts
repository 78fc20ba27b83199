import type { FairShare } from './fair-share.ts';

/** Limits concurrent tasks to fair shares; members whose tasks must wait are queued by tenant. */
export interface ConcurrencyLimiter<Member> {
  /** Reports whether a task of this member may begin now. */
  isFree(member: Member): boolean;
  /** Counts a task that begins. */
  take(member: Member): void;
  /** Ends a task and lets queued members begin that now may. */
  give(member: Member): void;
  /** Queues a member until `begin` is called with it. Queueing it again has no effect. */
  queue(member: Member): void;
  /** Removes a member from the queue. */
  leave(member: Member): void;
}

/** Creates a limiter. Tenants take turns, and members of a tenant are served in order of arrival. */
export function concurrencyLimiter<Member>(options: {
  share: FairShare<Member>;
  tenantOf: (member: Member) => string;
  /** Calls `take` for each task that it begins. A member that still has to wait is queued again. */
  begin: (member: Member) => void;
}): ConcurrencyLimiter<Member> {
  const { share, tenantOf, begin } = options;
  const queues = new Map<string, Set<Member>>();
  const isFree = (member: Member) => share.allowance(member) > 0;

  function leave(member: Member): void {
    const members = queues.get(tenantOf(member));
    members?.delete(member);
    if (members?.size === 0) queues.delete(tenantOf(member));
  }

  function serve(tenant: string, members: Set<Member>): void {
    if (share.tenantAllowance(tenant) <= 0) return;
    queues.delete(tenant);
    queues.set(tenant, members);
    for (const member of [...members]) {
      if (!members.has(member) || !isFree(member)) continue;
      leave(member);
      begin(member);
    }
  }

  return {
    isFree,
    take: (member) => share.take(member),
    give(member) {
      share.give(member);
      for (const [tenant, members] of [...queues]) serve(tenant, members);
    },
    queue(member) {
      const members = queues.get(tenantOf(member)) ?? new Set();
      queues.set(tenantOf(member), members.add(member));
    },
    leave,
  };
}
