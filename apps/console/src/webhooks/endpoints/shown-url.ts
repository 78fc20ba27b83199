import type { Schemas } from '@waymark/client/api';

/** The URL of an endpoint; that of a chat without its path, because whoever knows it may write there. */
export const shownUrl = ({ format, url }: Schemas['Webhook']): string =>
  format === 'waymark' ? url : `${new URL(url).origin}/…${url.slice(-4)}`;
