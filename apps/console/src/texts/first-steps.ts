import { defineTexts } from './define-texts.ts';

/** The first steps in a new workspace, and the content of a sample workspace. */
export const firstStepsTexts = defineTexts('firstSteps', {
  call: 'Make a first call',
  callHint: 'Create a key, and paste a command that uses it.',
  importDecisions: 'Import decisions',
  importHint: 'Bring decisions from Markdown records or another workspace.',
  invite: 'Invite somebody',
  inviteHint: 'Send a colleague a link to join.',
  openSample: 'Open a sample workspace',
  sampleHint: 'Look around in a workspace of its own, and remove it afterwards.',

  sample: {
    title: 'This is a sample',
    hint: 'Change what you like: only you are a member.',
    remove: 'Remove the sample',
    removeTitle: 'Remove the sample workspace?',
    removeConsequence: 'This deletes everything in it. Your other workspaces stay as they are.',

    name: 'Sample workspace',
    workflow: 'Move the orders to the new database',
    tasks: ['Copy the data', 'Compare both for a week', 'Switch the shop over'],
    decisions: {
      database: {
        title: 'Which database keeps our orders?',
        description:
          'Orders are the only data that we must never lose. Two people run the servers, and the year-end peak is ten times a usual day.',
        optionsConsidered: [
          { title: 'PostgreSQL', pros: ['We know it', 'Transactions'], cons: ['Failover needs care'] },
          {
            title: 'A managed service',
            pros: ['Nobody is on call for it'],
            cons: ['Costs three times as much'],
          },
        ],
        criteria: ['No lost order', 'Two people can run it'],
        resolution: 'A managed service',
        rationale:
          'A managed service costs more, but an outage at night costs more still. We keep PostgreSQL itself, so that we can move back.',
        decisionType: 'architecture',
        tags: ['storage', 'orders'],
        decidedBy: 'Platform team',
      },
      delivery: {
        title: 'Ship every pull request to production on its own',
        rationale: 'Small changes are easier to understand and to take back than a release of two weeks.',
        optionsConsidered: ['One release every two weeks', 'Each change on its own'],
        decisionType: 'process',
        tags: ['delivery'],
        outcomeNotes: 'Incidents fell by **a third** in the first quarter.',
      },
      designer: {
        title: 'Hire a designer before a fifth engineer',
        rationale: 'Support asks the same three questions every day, and all of them are about the forms.',
        decisionType: 'hiring',
        tags: ['people'],
      },
      price: {
        title: 'Do we price by seat or by workspace?',
        optionsConsidered: ['By seat', 'By workspace'],
        tags: ['pricing'],
      },
    },
  },
});
