import type { PastDecision } from './demo-past.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** The decisions before the newest one, each superseded by the next. */
export const supersededDecisions: PastDecision[] = [
  {
    daysAgo: 175,
    decision: {
      title: 'Let services call each other when something changes',
      description: 'Two services, one caller: the simplest thing that works.',
      optionsConsidered: ['Calls from service to service', 'A polled table'],
      resolution: 'Calls from service to service',
      rationale: 'Calls from service to service can be followed in the debugger.',
      tags: ['infrastructure', 'events'],
      decisionType: 'architecture',
      decidedBy: 'Platform team',
      status: 'accepted',
    },
    result: {
      afterDays: 52,
      outcome: 'failure',
      outcomeNotes: 'A deployment of search lost the changes of eleven minutes.',
    },
    archivedDaysAgo: 118,
  },
  {
    daysAgo: 119,
    decision: {
      title: 'Carry domain events in a table that everyone polls',
      description: 'Good enough while there were two services and a handful of events a minute.',
      optionsConsidered: ['A polled table', 'Calls from service to service'],
      resolution: 'A polled table',
      rationale:
        'A polled table needs nothing new; calls from service to service would lose events in an outage.',
      tags: ['infrastructure', 'events'],
      decidedBy: 'Platform team',
      status: 'accepted',
    },
    result: {
      afterDays: 98,
      outcome: 'partial',
      outcomeNotes: 'It held for a quarter, then polling was a third of the load on the database.',
    },
    archivedDaysAgo: 1,
  },
];

/** Current decisions: well argued, barely argued, overdue, with an outcome. */
export const standingDecisions: PastDecision[] = [
  {
    daysAgo: 66,
    decision: {
      title: 'Build our own editor',
      description: 'The one we use is heavy and cannot be driven by the keyboard alone.',
      optionsConsidered: ['Build our own', 'Help the project that we use'],
      resolution: 'Help the project that we use',
      rationale:
        'Build our own would take two people for a year; the project accepted our first fix in a week.',
      tags: ['design'],
      decisionType: 'architecture',
      decidedBy: 'Product',
      status: 'rejected',
    },
  },
  {
    daysAgo: 55,
    decision: {
      title: 'Move the nightly reports to a read replica',
      description: 'The reports slowed the morning logins.',
      optionsConsidered: [
        { title: 'Read replica', pros: ['No change in the reports'], cons: ['Lag of a few seconds'] },
        { title: 'Materialised tables', pros: ['Fast'], cons: ['Another job to run'] },
      ],
      resolution: 'Read replica',
      rationale: 'The read replica takes an hour to set up; materialised tables would take a week.',
      tags: ['infrastructure'],
      status: 'accepted',
    },
    result: { afterDays: 24, outcome: 'success', outcomeNotes: 'Login p95 is back under 200 ms.' },
  },
  {
    daysAgo: 40,
    decision: {
      question: 'Who is on call during the summer?',
      description: 'Four of nine engineers are away in August. The rota needs two people a week.',
      optionsConsidered: ['One week in two for everyone', 'Hire help for six weeks', 'Business hours only'],
      tags: ['people', 'reliability'],
      decisionType: 'process',
      decidedBy: 'Mira',
      expectedBy: inDays(-21),
      outcomeConfidence: 0.5,
      status: 'proposed',
    },
  },
  {
    daysAgo: 33,
    decision: {
      question: 'Do we price by seat or by workspace?',
      description: 'Customers ask for a predictable bill; sales asks for growth with the team.',
      optionsConsidered: ['By seat', 'By workspace'],
      tags: ['pricing'],
      expectedBy: inDays(-7),
      status: 'proposed',
    },
  },
  {
    daysAgo: 20,
    decision: {
      title: 'Keep audit entries for seven years',
      description: 'Two customers in banking ask for it; storage costs 40 a month at our present growth.',
      optionsConsidered: [
        { title: 'Seven years', pros: ['Meets every request so far'], cons: ['Storage grows for years'] },
        { title: 'Two years', pros: ['Cheap'], cons: ['Banks would have to export'] },
      ],
      criteria: ['Compliance', 'Cost'],
      resolution: 'Seven years',
      rationale:
        'Seven years costs less than one lost contract; two years would move the work to our customers.',
      tags: ['compliance'],
      decisionType: 'policy',
      decidedBy: 'Leadership',
      expectedBy: inDays(-2),
      outcomeConfidence: 0.85,
      status: 'accepted',
    },
  },
];

/** Changes made while the demo is created, by the decision's title. */
export const demoChanges = {
  'Do we price by seat or by workspace?': {
    optionsConsidered: ['By seat', 'By workspace', 'By workspace, with a seat price above fifty'],
    criteria: ['A bill that can be foretold', 'Growth with the team'],
  },
  'Who is on call during the summer?': { decidedBy: 'Jonas', tags: ['people', 'reliability', 'summer'] },
};

/** Decisions of today. The last one supersedes the last of the chain. */
export const newDecisions = [
  {
    question: 'Should the free plan have webhooks?',
    tags: ['pricing', 'growth'],
    expectedBy: inDays(14),
    status: 'proposed',
  },
  {
    title: 'Which message broker carries our domain events?',
    description:
      'Services publish what they changed; search, audit and webhooks follow. The broker must survive a crash without losing what it acknowledged, run on one laptop, and scale on Kubernetes. We expect 500 events a second at the peak.',
    optionsConsidered: [
      {
        title: 'NATS JetStream',
        pros: ['One small binary', 'Deduplication by message id'],
        cons: ['Acknowledges before it syncs unless told otherwise'],
      },
      { title: 'Kafka', pros: ['Well known', 'Long retention'], cons: ['Heavy for a laptop'] },
      { title: 'Redis Streams', pros: ['Already there'], cons: ['Persistence is an afterthought'] },
    ],
    criteria: ['Durability', 'Ease of operation', 'Throughput'],
    resolution: 'NATS JetStream, with sync_interval: always',
    rationale:
      'NATS JetStream starts in milliseconds, deduplicates by message id, and with sync_interval: always it lost nothing in a simulated power cut. Kafka would serve as well, but needs a cluster that a newcomer cannot be asked to run. Redis Streams would tie our durability to a cache. See https://docs.nats.io/nats-concepts/jetstream for the guarantees.',
    decisionType: 'architecture',
    tags: ['infrastructure', 'events'],
    decidedBy: 'Platform team',
    expectedBy: inDays(60),
    outcomeConfidence: 0.8,
    status: 'accepted',
  },
];
