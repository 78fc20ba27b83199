import type { ServiceName, StoringService } from '../services.ts';
import { type EventType, eventStream, eventTypes } from './events.ts';

type TopicOf<T extends EventType> = T extends `${infer Topic}.${string}` ? Topic : never;

/** The service that publishes the events of a topic, the part of a type before the dot. */
const publishers: Record<TopicOf<EventType>, StoringService> = {
  decision: 'decisions',
  decisions: 'decisions',
  calendar_feed: 'decisions',
  workflow: 'workflows',
  node: 'workflows',
  nodes: 'workflows',
  edge: 'workflows',
  edges: 'workflows',
  thread: 'threads',
  messages: 'threads',
  audit_log: 'audit',
  workspace: 'accounts',
  invitation: 'accounts',
  billing: 'accounts',
  api_key: 'accounts',
  service_account: 'accounts',
  user: 'accounts',
  view: 'accounts',
  webhook: 'webhooks',
  delivery: 'webhooks',
};
const exceptions: Partial<Record<EventType, StoringService>> = {
  'workspace.exported': 'transfer',
  'workspace.exported_madr': 'transfer',
  'workspace.imported': 'transfer',
  'workspace.import_finished': 'transfer',
};

/** Returns the only service that publishes events of a type. */
export const publisherOf = (type: EventType): StoringService =>
  exceptions[type] ?? publishers[type.split('.', 1)[0] as TopicOf<EventType>];

/** The durable consumers of events. */
const consumers: Partial<Record<ServiceName, readonly string[]>> = {
  audit: ['audit', 'event_log'],
  notifications: ['notifications'],
  search: ['search'],
  threads: ['threads'],
  webhooks: ['webhooks'],
};

/** The requests of every service to JetStream. None changes, purges or deletes a stream. */
const JETSTREAM = ['$JS.API.INFO', '$JS.API.STREAM.INFO.*', '$JS.API.STREAM.MSG.GET.*'];

/** The requests of a service to JetStream about its own consumer. */
const consumerSubjects = (stream: string, consumer: string) => [
  ...['DURABLE.CREATE', 'INFO', 'MSG.NEXT'].map((call) => `$JS.API.CONSUMER.${call}.${stream}.${consumer}`),
  `$JS.ACK.${stream}.${consumer}.>`,
];

/** The consumers of live streams have new names each time. */
const unnamedConsumerSubjects = (stream: string) =>
  ['CREATE', 'INFO', 'MSG.NEXT', 'DELETE'].map((call) => `$JS.API.CONSUMER.${call}.${stream}.*`);

/** Returns the subjects that a service publishes, for the permissions of its user at NATS. */
export function publishedSubjects(service: ServiceName, prefix: string): string[] {
  const stream = eventStream(prefix);
  const { name, parkedName, positionsName, auditHeadsName } = stream;
  const others: Partial<Record<ServiceName, string[]>> = {
    accounts: [stream.invalidations],
    gateway: [stream.presence, ...unnamedConsumerSubjects(name)],
    audit: [stream.eventLog, `${stream.auditHeads}.*`],
    search: [stream.searchStates],
    notifications: [stream.inboxes],
  };
  return [
    ...eventTypes.filter((type) => publisherOf(type) === service).map(stream.subject),
    ...(consumers[service] ?? []).flatMap((one) => [
      ...[stream.parked(one, '*'), `${stream.positions}.${one}`],
      ...consumerSubjects(name, one),
    ]),
    ...(others[service] ?? []),
    ...[name, parkedName, positionsName, auditHeadsName].map((one) => `$JS.API.STREAM.CREATE.${one}`),
    ...JETSTREAM,
  ];
}
