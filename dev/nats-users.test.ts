import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventStream, eventTypes, publisherOf, type ServiceName, services } from '@waymark/contracts';
import { acquireBinary, type StoreProcess, startNats } from '@waymark/local-stack';
import { acceptedSubjects } from '@waymark/testing';
import { natsUsers } from './nats-users.ts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-nats-users-'));
const users = natsUsers('sample');
const stream = eventStream('sample');
let nats: StoreProcess;
beforeAll(async () => {
  const binary = await acquireBinary('nats', () => undefined);
  nats = await startNats({ binary, dataDir: folder, settings: users.settings });
});
afterAll(async () => {
  await nats.stop();
  rmSync(folder, { recursive: true });
});

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

describe.each(Object.keys(services) as ServiceName[])('the user of %s at NATS', (name) => {
  it('publishes the events of its service, and no others', async () => {
    const own = eventTypes.filter((type) => publisherOf(type) === name).map(stream.subject);
    expect(await acceptedOf(name, everyEvent)).toEqual(own);
  });

  it('announces revocations, presence, positions and heads only if they are its own', async () => {
    const own = Object.keys(owners).filter((subject) => owners[subject] === name);
    expect(await acceptedOf(name, Object.keys(owners))).toEqual(own);
  });

  it('changes and deletes no stream', async () => {
    expect(await acceptedOf(name, changes)).toEqual([]);
  });
});

it('the user of operators publishes everything', async () => {
  const all = [...everyEvent, ...Object.keys(owners), ...changes];
  expect(await acceptedOf('operator', all)).toEqual(all);
});
