/** The body of a new decision. */
export const newDecision = {
  title: 'Which store keeps our decisions?',
  description: 'The store must keep what it acknowledged through any crash, and run on one laptop.',
  optionsConsidered: ['MongoDB', 'PostgreSQL'],
  tags: ['infrastructure'],
};
