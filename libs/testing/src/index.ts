export { type EventSource, openEventSource, type StreamMessage } from './event-source.ts';
export { eventually } from './eventually.ts';
export { type Answer, type CallInput, httpCall } from './http-call.ts';
export { keyPrincipal, servicePrincipal, sessionPrincipal } from './principals.ts';
export { sampleDecision } from './sample-decision.ts';
export { type Owner, type StackClient, stackClient } from './stack-client.ts';
export { type OneService, type Start, startOne } from './start-one.ts';
export { type EnvOf, type Stack, startStack } from './start-stack.ts';
export { type StoreRelay, startStoreRelay } from './store-relay.ts';
export {
  AUDIT_SIGNING_KEY,
  type Env,
  IDENTITY_SECRET,
  serviceEnvironment,
  streamOf,
  testEnvironment,
} from './test-environment.ts';
export { deleteStream, type EventWatch, watchEvents } from './watch-events.ts';
export {
  answer,
  type Behaviour,
  drip,
  hang,
  lie,
  type ReceivedRequest,
  redirect,
  reset,
  startWebhookReceiver,
  type WebhookReceiver,
} from './webhook-receiver.ts';
