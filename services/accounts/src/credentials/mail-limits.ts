import { hashSecret } from '@waymark/contracts';
import { clientNetwork, type RequestContext } from '@waymark/service-kit/http';
import { consume, type LimiterOf, waitMsOf } from './sign-in-limits.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Limits the mails that strangers can cause, so that nobody can flood a mailbox. */
export function mailLimits(limiter: LimiterOf) {
  /** Per half of the life of a link: an attacker who asks first leaves the owner a valid one. */
  const perAddress = limiter('reset-address', 3, 15 * MINUTE);
  const perNetwork = limiter('reset-client', 30, HOUR);

  // Apart from those of resets: mails without a link for the owner must not use up the owner's.
  const perNewAddress = limiter('change-address', 3, 15 * MINUTE);
  const perChanger = limiter('change-user', 10, DAY);

  const perInvited = limiter('invited-address', 5, DAY);
  const perWorkspace = limiter('invited-workspace', 100, DAY);
  /** Limits one person with many workspaces, or many accounts. */
  const perInvitingNetwork = limiter('invited-client', 300, DAY);
  /** Limits mails to an address of an account, which nobody has verified. */
  const perNotified = limiter('notified-address', 20, HOUR);
  // Strangers' mails to variants of an address must not use up those to its owner.
  const perFactorAddress = limiter('passkey-address', 5, DAY);
  const perFactorVariants = limiter('passkey-variants', 20, DAY);

  const count = (limit: ReturnType<LimiterOf>, key: string) => consume(limit, key, 'mails were asked for');
  const isUnder = async (limit: ReturnType<LimiterOf>, key: string) => (await waitMsOf(limit, key)) === null;

  return {
    /** Counts an invitation. Returns false when it may not be mailed; its link is shown to the inviter. */
    mayMailInvitation: async (ctx: RequestContext, email: string) =>
      (await isUnder(perInvitingNetwork, clientNetwork(ctx.clientAddress))) &&
      (await isUnder(perWorkspace, ctx.access.workspaceId)) &&
      (await isUnder(perInvited, mailboxOf(email))),

    /** Counts the mail of a notification; more than these wait for the daily mail. */
    mayMailNotification: (email: string) => isUnder(perNotified, mailboxOf(email)),

    /** Counts the announcement of a passkey or an authenticator app. */
    mayMailFactor: async (email: string) =>
      (await isUnder(perFactorAddress, hashSecret(email))) &&
      (!email.includes('+') || (await isUnder(perFactorVariants, mailboxOf(email)))),

    /** Counts a request for a new password, for known and unknown addresses alike. Throws RATE_LIMITED. */
    async countReset(ctx: RequestContext, email: string): Promise<void> {
      await count(perNetwork, clientNetwork(ctx.clientAddress));
      // Hashed, because the database must not keep the text that strangers type as an email.
      await count(perAddress, hashSecret(email));
    },

    /** Counts a user's request for another address. Throws RATE_LIMITED. */
    async countChange(ctx: RequestContext, userId: string, email: string): Promise<void> {
      await count(perNetwork, clientNetwork(ctx.clientAddress));
      await count(perChanger, userId);
      await count(perNewAddress, mailboxOf(email));
    },
  };
}

/** A key for all addresses of a mailbox that differ only after a "+". */
const mailboxOf = (email: string) => hashSecret(email.replace(/(?<=.)\+[^@]*/, ''));
