/**
 * Questions over the demo workspace, in the words of different people, with the title of the decision that
 * governs each, or null where there is none. find_governing_decision was tuned with these.
 */
export const questions: readonly (readonly [question: string, title: string | null])[] = [
  ['which decision governs the message broker and why', 'Which message broker carries our domain events?'],
  ['pricing model', 'Do we price by seat or by workspace?'],
  ['How long do we have to keep audit logs?', 'Keep audit entries for seven years'],
  [
    'Are we allowed to let services call each other directly?',
    'Which message broker carries our domain events?',
  ],
  ['Why did we drop the polled events table?', 'Which message broker carries our domain events?'],
  [
    'Do customers get to pick the region their data is stored in?',
    'Let customers choose where their data is kept',
  ],
  ['who is on call in august', 'Who is on call during the summer?'],
  ['should we write our own text editor?', 'Build our own editor'],
  ['what did we decide about dark mode', 'Make dark mode follow the system'],
  ['Is there a discount if I pay yearly?', 'Offer yearly billing with two months free'],
  ['Do we use Kafka?', 'Which message broker carries our domain events?'],
  ['Where do the nightly reports run?', 'Move the nightly reports to a read replica'],
  ['How often do we do incident drills?', 'Run one incident drill each month'],
  ['do free customers get webhooks', 'Should the free plan have webhooks?'],
  ['Is the mobile app going to be rewritten?', 'Rewrite the mobile client in one language'],
  ['can we ask new users how big their team is at signup', 'Ask for the team size at sign-up'],
  ['Are we opening an integrations marketplace?', 'Open a marketplace for integrations'],
  ['why is the status page on another domain', 'Publish the status page on a domain of its own'],
  ['Which CSV parser are we using?', 'Replace the hand-written CSV parser'],
  ['new support hire in Lisbon, was that approved?', 'Hire a second support engineer in Lisbon'],
  ['which database stores our decisions', null],
  ['Which search engine did we pick and why?', null],
  ['What is our policy on remote work?', null],
  ['Which cloud provider do we deploy to?', null],
  ['How do we authenticate users, passwords or single sign-on?', null],
  ['Do we support Internet Explorer?', null],
  ['what programming language should new services be written in', null],
  ['How many vacation days does an engineer get?', null],
  ['Who approves expenses over 500 euros?', null],
  ['Should we adopt GraphQL for the public API?', null],
];
