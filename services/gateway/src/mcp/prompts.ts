import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';

const PROMPTS: readonly (Prompt & { text: (given: Readonly<Record<string, string>>) => string })[] = [
  {
    name: 'record_decision',
    title: 'Record a decision',
    description: 'Turns what was discussed into a decision with options, criteria and a rationale',
    arguments: [{ name: 'topic', description: 'What the decision is about', required: false }],
    text: ({ topic }) => `Record the decision that we have made${topic ? ` about this topic: ${topic}` : ''}.
1. Call find_governing_decision with the question. If a decision governs it already, show it to me, and ask whether ours supersedes it.
2. Collect the question, the options with their pros and cons, the criteria, the resolution, the rationale, who decided, and when the outcome will be known. Ask me for what I have not said; invent nothing.
3. Show me the draft. When I agree, call log_decision, with supersedes if it replaces one.
4. Call explain_decision_score, and tell me what would raise the score.`,
  },
  {
    name: 'review_overdue_outcomes',
    title: 'Review overdue outcomes',
    description: 'Goes through the decisions whose outcome is overdue, and logs each outcome',
    text: () => `Go with me through the decisions whose outcome is overdue.
1. Call list_overdue_decisions, and show me the list with the date on which each outcome was expected.
2. For each one, the longest overdue first: show me its resolution and rationale (get_decision), and ask me how it turned out and what happened.
3. Call log_outcome with my answer and my words as outcomeNotes. If it is too early, call update_decision with a later expectedBy instead.`,
  },
];

export const describePrompts = (): Prompt[] => PROMPTS.map(({ text: _text, ...prompt }) => prompt);

/** Returns the message of a prompt; undefined if there is no such prompt. */
export function promptOf(
  name: string,
  given: Readonly<Record<string, string>> = {},
): GetPromptResult | undefined {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) return undefined;
  const content = { type: 'text' as const, text: prompt.text(given) };
  return { description: prompt.description!, messages: [{ role: 'user', content }] };
}
