import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { number, plural, rich } from './format.ts';

/** Webhook endpoints. */
export const webhooksTexts = defineTexts('webhooks', {
  title: 'Webhooks',
  empty: 'No webhook endpoints yet',
  emptyHint:
    'An endpoint is a URL of yours that receives events. Each event is a signed POST, retried after a failure. You can replay it from here.',
  columns: ['Endpoint', 'State', 'Events', 'Created'],
  eventKinds: (count: number) => plural(count, { one: '# kind', other: '# kinds' }),
  states: {
    enabled: 'enabled',
    failing: 'failing',
    disabled: {
      user: 'disabled',
      gone: 'disabled: it answered 410',
      failing: 'disabled: five days of failures',
    },
  },

  endpoint: {
    title: 'Webhook endpoint',
    all: 'All endpoints',
    receives: (events: string) => `Told of ${events}.`,
    rotating: (until: ReactNode) => rich`Its secret is being replaced: both sign until ${until}.`,
  },

  new: {
    title: 'Add an endpoint',
    add: 'Add endpoint',
    note: 'Your endpoint uses it to check that a request comes from Waymark and is recent.',
  },
  edit: { title: 'Edit the endpoint', done: 'The endpoint is changed.' },
  form: {
    format: 'Sends',
    formats: {
      waymark: 'JSON for a program',
      slack: 'Messages to Slack',
      teams: 'Messages to Microsoft Teams',
      discord: 'Messages to Discord',
    },
    addressHints: {
      waymark: '',
      slack: 'At api.slack.com/apps: your app, Incoming Webhooks, Add New Webhook, Copy.',
      teams: 'At the channel in Teams: … , Workflows, “Send webhook alerts to a channel”, and copy the link.',
      discord: 'At the channel in Discord: Edit Channel, Integrations, Webhooks, Copy Webhook URL.',
    },
    chatHint:
      'Everyone in the channel reads the messages. It is told of a changed decision only if the status is new, and of a message only if it mentions somebody.',
    address: 'Address',
    description: 'Description',
    maxPerSecond: 'Maximum per second',
    maxPerSecondHint: 'Empty: the limit of this installation',
    noEvents: 'Choose at least one event',
  },
  events: {
    title: 'Events',
    loading: 'Loading the events',
    chosen: (chosen: number, all: number) => `${number(chosen)} of ${number(all)} chosen`,
    find: 'Find an event',
    noMatch: 'No events match.',
    /** The event; the API describes each type in English. */
    summary: (_type: string, english: string) => english,
    allOf: (count: number) => `All of these ${number(count)}`,
  },

  enable: { act: 'Enable', done: 'The endpoint is enabled.' },
  disable: {
    act: 'Disable',
    title: 'Disable this endpoint?',
    consequence: 'Events are held meanwhile. Enable the endpoint and replay them to send them.',
    done: 'The endpoint is disabled.',
  },
  delete: {
    title: 'Delete this endpoint?',
    consequence:
      'It receives no more events. Pending deliveries are cancelled, and its deliveries are no longer shown.',
    done: 'The endpoint is deleted.',
  },

  test: {
    title: 'Send a test',
    event: 'Event',
    eventHint: 'The payload of an event is an example, with “test”: true',
    send: 'Send',
    sent: 'The test was sent; the endpoint has not answered yet. The deliveries will show its answer.',
    answered: (status: number) => `The endpoint answered ${status}`,
    noAnswer: 'The endpoint did not answer',
    retried:
      'The test is sent again by itself, like each delivery that fails. The deliveries show each attempt.',
  },

  secret: {
    name: 'signing secret',
    verify: 'Receive and verify deliveries',
    rotate: 'Rotate secret',
    title: 'Rotate the secret',
    hint: 'Creates a new secret. Both sign for 24 hours, so that you can change your endpoint without losing events.',
    create: 'Create a new secret',
    note: 'The old secret signs X-Waymark-Signature for 24 more hours, or until you promote the new one; both sign webhook-signature meanwhile.',
    promoteHint:
      'A new secret exists, and both sign. Promote it when your endpoint uses it; the old one then stops signing.',
    promote: 'Promote the new secret',
    promoted: 'Only the new secret signs from now on.',
  },
});
