export { eventually } from './eventually.ts';
export { type EventSource, openEventSource, type StreamMessage } from './http/event-source.ts';
export { type Answer, type CallInput, httpCall } from './http/http-call.ts';
export { joinWorkspace } from './http/join-workspace.ts';
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
} from './http/webhook-receiver.ts';
export { patience } from './patience.ts';
export { keyPrincipal, servicePrincipal, sessionPrincipal } from './principals.ts';
export { sampleDecision } from './sample-decision.ts';
export { sampleEvent } from './sample-event.ts';
export { acceptedSubjects } from './stack/accepted-subjects.ts';
export { backUp } from './stack/back-up.ts';
export { type EventPublisher, openEventPublisher } from './stack/event-publisher.ts';
export { type Owner, type StackClient, stackClient } from './stack/stack-client.ts';
export { type OneService, type Start, startOne } from './stack/start-one.ts';
export { type EnvOf, type Stack, startStack } from './stack/start-stack.ts';
export {
  AUDIT_SIGNING_KEY,
  type Env,
  serviceEnvironment,
  streamOf,
  testEnvironment,
} from './stack/test-environment.ts';
export { identityEnvironment, testIdentity } from './stack/test-identity.ts';
export { deleteStream, type EventWatch, watchEvents } from './stack/watch-events.ts';
export { testFolder } from './test-folder.ts';
export { processorMs, undisturbed } from './undisturbed.ts';
