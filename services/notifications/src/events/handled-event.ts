import type { EventEnvelope } from '@waymark/contracts';

/** An event of a workspace. */
export interface HandledEvent extends EventEnvelope {
  workspaceId: string;
}
