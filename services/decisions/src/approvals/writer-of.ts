import { userOf } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';

/** Returns who writes: of an API key the person who created it, or its service account. */
export const writerOf = ({ principal, actor }: RequestContext): string =>
  userOf(principal) ?? String(actor.id);
