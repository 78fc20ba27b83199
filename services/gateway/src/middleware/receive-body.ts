import type { Operation } from '@waymark/contracts';
import { type BodyReceiver, continueUpload } from '../bodies/body-receiver.ts';
import { isStreamed } from '../bodies/uploads.ts';
import { type Middleware, sendsBody } from '../request-state.ts';

/** Whether an operation has a body; a body sent to any other operation is left unread. */
const takesBody = ({ body, bodyContentTypes }: Operation) =>
  body !== undefined || bodyContentTypes !== undefined;

/** Receives the body of a request whole, so that a slow client holds nothing of a service. */
export function receiveBody(receive: BodyReceiver): Middleware {
  return async (request, response, next) => {
    const operation = response.locals.operation!;
    if (sendsBody(request) && takesBody(operation)) {
      if (isStreamed(operation)) continueUpload(request, response);
      else response.locals.body = await receive(response);
    }
    next();
  };
}
