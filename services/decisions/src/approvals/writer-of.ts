import type { RequestContext } from '@waymark/service-kit/http';

/** Returns who writes: of an API key the person who created it, or its service account. */
export function writerOf({ principal, actor }: RequestContext): string {
  return 'user_id' in principal ? principal.user_id : String(actor.id);
}
