import { unwrap } from '@waymark/client/api';
import { api } from './client.ts';
import { reportExpiry } from './expiry.ts';

/** Asks the server whether the session is over; if so, whoever listens for that is told. An outage says nothing of it. */
export async function isSessionOver(): Promise<boolean> {
  try {
    await unwrap(api.GET('/auth/me'));
    return false;
  } catch (error) {
    return error instanceof Error && reportExpiry(error);
  }
}
