import { afterAll, describe, expect, it } from '@jest/globals';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventStream, eventTypes, publisherOf, type ServiceName, services } from '@waymark/contracts';
import { acquireBinary, startNats } from '@waymark/local-stack';
import { natsServersOf } from '@waymark/service-kit/process';
import { acceptedSubjects, testFolder } from '@waymark/testing';
import { quietEnvironmentOf } from '../apps/cli/src/databases.ts';
import { natsUsers } from './nats-users.ts';

const folder = testFolder();
const users = natsUsers('sample');
const stream = eventStream('sample');
const binary = await acquireBinary('nats', () => undefined);
const nats = await startNats({ binary, dataDir: folder, settings: users.settings });
afterAll(() => nats.stop());

/** Publishes to each subject with the URL that a service, or an operator's command, gets. */
function acceptedOf(name: ServiceName | 'operator', subjects: readonly string[]): Promise<string[]> {
  const environment = users.environment(nats.url);
  const variable = name === 'operator' ? 'NATS_URL' : `${name.toUpperCase()}_NATS_URL`;
  return acceptedSubjects(environment[variable]!, environment['NATS_URL']!, subjects);
}

const everyEvent = eventTypes.map(stream.subject);
const owners: Record<string, ServiceName> = {
  [stream.invalidations]: 'accounts',
  [stream.presence]: 'gateway',
  [stream.eventLog]: 'audit',
  [`${stream.auditHeads}.chain`]: 'audit',
  [stream.searchStates]: 'search',
  [`${stream.positions}.audit`]: 'audit',
  [stream.parked('webhooks', 'id')]: 'webhooks',
};
const changes = ['DELETE', 'PURGE', 'UPDATE', 'MSG.DELETE'].map(
  (call) => `$JS.API.STREAM.${call}.${stream.name}`,
);

const durables: [ServiceName, string][] = [
  ['audit', 'audit'],
  ['audit', 'event_log'],
  ['notifications', 'notifications'],
  ['search', 'search'],
  ['threads', 'threads'],
  ['webhooks', 'webhooks'],
];
const callsOf = (name: string, consumer: string) => [
  ...['DURABLE.CREATE', 'INFO', 'MSG.NEXT'].map((call) => `$JS.API.CONSUMER.${call}.${name}.${consumer}`),
  `$JS.ACK.${name}.${consumer}.1.1.1.1.1`,
];

describe.each(Object.keys(services) as ServiceName[])('the user of %s at NATS', (name) => {
  it('publishes the events of its service, and no others', async () => {
    const own = eventTypes.filter((type) => publisherOf(type) === name).map(stream.subject);
    expect(await acceptedOf(name, everyEvent)).toEqual(own);
  });

  it('announces revocations, presence, positions and heads only if they are its own', async () => {
    const own = Object.keys(owners).filter((subject) => owners[subject] === name);
    expect(await acceptedOf(name, Object.keys(owners))).toEqual(own);
  });

  it('reads with its own consumers, and with no other', async () => {
    const own = durables.flatMap(([owner, durable]) => (owner === name ? callsOf(stream.name, durable) : []));
    const parked = [`DURABLE.CREATE.${stream.parkedName}.${name}`, `CREATE.${stream.parkedName}.a`];
    const others = parked.map((call) => `$JS.API.CONSUMER.${call}`);
    const all = durables.flatMap(([, durable]) => callsOf(stream.name, durable));
    const accepted = await acceptedOf(name, [...all, ...others]);
    // The consumers of the gateway have random names, so that it can read with any.
    expect(accepted).toEqual(name === 'gateway' ? all.filter((call) => /INFO|NEXT/.test(call)) : own);
  });

  it('changes and deletes no stream', async () => {
    expect(await acceptedOf(name, changes)).toEqual([]);
  });
});

describe('an event', () => {
  /** Connects with the URL of a service, or of operators. */
  const connected = (variable: string) => connect(natsServersOf(users.environment(nats.url)[variable]!));

  it.each([...durables, ['gateway', null] as const])(
    'reaches the consumer of %s: %s',
    async (name, durable) => {
      const [operator, reader] = await Promise.all(
        ['NATS_URL', `${name.toUpperCase()}_NATS_URL`].map(connected),
      );
      const { streams } = await jetstreamManager(operator!);
      await streams.add({ name: stream.name, subjects: stream.subjects });
      await jetstream(operator!).publish(stream.subject('decision.created'), 'sample');
      const { consumers } = await jetstreamManager(reader!, { checkAPI: false });
      if (durable)
        await consumers.add(stream.name, {
          durable_name: durable,
          ack_policy: AckPolicy.Explicit,
          filter_subjects: [stream.everySubject],
        });
      const consumer = await jetstream(reader!).consumers.get(stream.name, durable ?? {});
      const messages = await consumer.consume();
      for await (const message of messages) {
        expect(message.string()).toBe('sample');
        if (durable) expect(await message.ackAck()).toBe(true);
        break;
      }
      await Promise.all([operator!.close(), reader!.close()]);
    },
  );
});

it('the user of operators publishes everything', async () => {
  const all = [...everyEvent, ...Object.keys(owners), ...changes];
  expect(await acceptedOf('operator', all)).toEqual(all);
});

it('the user of operators is that of commands, also of those for one service', () => {
  const environment = users.environment(nats.url);
  const { NATS_URL } = environment;
  expect(quietEnvironmentOf('audit', environment)).toMatchObject({ NATS_URL });
});
