import type { AuditAction } from '../resources/audit.ts';
import type { ServiceName, StoringService } from '../services.ts';
import { type EventType, eventStream, eventTypes } from './events.ts';

type Published = EventType | AuditAction;
type TopicOf<T extends Published> = T extends `${infer Topic}.${string}` ? Topic : never;

/** The service that publishes the types and actions of a topic, their part before the dot. */
const publishers: Record<TopicOf<Published>, StoringService> = {
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
  member: 'accounts',
  billing: 'accounts',
  api_key: 'accounts',
  service_account: 'accounts',
  user: 'accounts',
  view: 'accounts',
  webhook: 'webhooks',
  delivery: 'webhooks',
};
const exceptions: Partial<Record<Published, StoringService>> = {
  'workspace.approval_rules': 'decisions',
  'workspace.export': 'transfer',
  'workspace.export_madr': 'transfer',
  'workspace.exported': 'transfer',
  'workspace.exported_madr': 'transfer',
  'workspace.import': 'transfer',
  'workspace.import_check': 'transfer',
  'workspace.imported': 'transfer',
  'workspace.import_finished': 'transfer',
};

/** Returns the only service that publishes events of a type, or with an audit action. */
export const publisherOf = (published: Published): StoringService =>
  exceptions[published] ?? publishers[published.split('.', 1)[0] as TopicOf<Published>];

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
