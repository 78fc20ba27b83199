import { expect, it } from '@jest/globals';
import { newDecisions, standingDecisions } from '../dev/demo/demo-decisions.ts';
import { demoForecasts } from '../dev/demo/demo-forecasts.ts';
import { questions } from './support/questions.ts';
import { questionsApart } from './support/questions-apart.ts';

it('the questions name decisions of the demo workspace, and a third of them none', () => {
  const decisions = [...newDecisions, ...[...standingDecisions, ...demoForecasts].map((one) => one.decision)];
  const titles = decisions.map((one) => ('title' in one ? one.title : one.question));
  for (const table of [questions, questionsApart]) {
    expect(table).toHaveLength(30);
    const answers = table.map(([, title]) => title).filter((title) => title !== null);
    expect(answers).toHaveLength(20);
    expect(titles).toEqual(expect.arrayContaining(answers));
  }
});
