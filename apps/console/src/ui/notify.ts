import { notifications } from '@mantine/notifications';
import { problemOf } from '../api/problem.ts';

/** Says in passing that something is done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal' });
}

/** Says in passing that something failed; stays until it is closed. */
export function notifyProblem(error: unknown): void {
  const { title, detail, requestId } = problemOf(error);
  const message = requestId === null ? detail : `${detail} (request ${requestId})`;
  notifications.show({ title, message, color: 'red', autoClose: false });
}
