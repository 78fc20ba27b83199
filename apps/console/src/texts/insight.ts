import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { number, percent, plural, rich } from './format.ts';

/** The metrics of a workspace, its calibration and the overdue outcomes. */
export const insightTexts = defineTexts('insight', {
  title: 'Insight',
  empty: 'No decisions to learn from yet',
  emptyHint:
    'Log decisions with a forecast and a date. As outcomes are logged, this page compares your confidence with the results.',

  metric: {
    title: 'Workspace metric',
    about:
      'The workspace metric (WMS) is the share of all decisions whose outcome is known, from 0 to 100. Logging an outcome raises it; a new decision lowers it until its outcome is known.',
    value: 'workspace metric',
    decisions: 'decisions',
    withOutcome: 'with an outcome',
    overdue: 'outcome overdue',
    quality: 'quality score on average',
  },

  trend: {
    title: 'Trend',
    about:
      'The workspace metric at the beginning of each week. It falls when decisions are made and rises as their outcomes come in. The running week is dashed.',
    tooEarly: 'The first decisions are from this week. The chart starts next week.',
    change: (from: string, day: string, to: ReactNode) => rich`From ${from} on ${day} to ${to} now.`,
    numbers: 'The numbers of each week',
    table: 'Workspace metric by week',
    columns: ['Week of', 'Metric', 'Decisions', 'With an outcome'],
    now: 'Now',
    running: 'Running week',
    period: 'Period',
    periods: { 13: 'Three months', 26: 'Half a year', 52: 'A year', 104: 'Two years' },
    plot: 'Workspace metric over time; the table below has its numbers',
    axis: 'Workspace metric, 0 to 100',
    point: (day: string, metric: number, known: number, decisions: number) =>
      `${day}: ${number(metric)}, ${number(known)} of ${plural(decisions, {
        one: '# decision',
        other: '# decisions',
      })}`,
  },

  calibration: {
    title: 'Calibration',
    about: `Of the decisions that you gave a ${percent(0.7)} chance, seven in ten should succeed. Points below the diagonal were overconfident, points above it underconfident.`,
    tooFew: (needed: number) =>
      `It takes ${needed} decisions that have both a forecast and an outcome. Give a decision its chance of success when you log it.`,
    brier: (score: ReactNode, forecasts: number, rate: string, constant: string) =>
      rich`Brier score ${score} over ${number(forecasts)} forecasts (0 is perfect; always saying ${rate}, the share that succeeded, would score ${constant}).`,
    table: 'Forecasts and outcomes',
    columns: ['Forecast', 'Decisions', 'Forecast on average', 'Succeeded'],
    range: (from: string, to: string) => `${from} to ${to}`,
    plot: 'Calibration plot; the table has its numbers',
    forecastAxis: 'Forecast, %',
    successAxis: 'Succeeded, %',
    point: (decisions: number, forecast: string, succeeded: string) =>
      `${plural(decisions, {
        one: '# decision',
        other: '# decisions',
      })}: ${forecast} forecast, ${succeeded} succeeded`,
    legend: {
      point: 'decisions: the more, the larger',
      limit: 'as it was forecast',
      base: 'share that succeeded overall',
    },
  },

  forecasters: {
    title: 'Forecasts of people and agents',
    about:
      'The last forecast that each gave before the outcome, compared with it. Cases are decisions with such a forecast whose outcome is success, partial or failure.',
    none: 'No decision with an outcome has a forecast that a person or agent gave. Give yours on the page of a decision.',
    all: 'All together',
    forecaster: 'Person or agent',
    type: 'Type',
    tag: 'Tag',
    table: (by: string) => `Forecasts and outcomes by ${by.toLowerCase()}`,
    cases: 'Cases',
    figures: {
      brier_score: 'Brier score',
      skill: 'Skill',
      reliability: 'Reliability',
      resolution: 'Resolution',
    },
    means: {
      brier_score:
        'The mean squared distance between forecast and outcome. 0 is perfect; always saying 50% gives 0.25.',
      skill:
        'How much better the Brier score is than that of always saying the share that succeeded: 1 is perfect, 0 no better, below 0 worse.',
      reliability:
        'How far forecasts are from the share that came true of those like them. 0 is best: of the forecasts around 80%, eight in ten came true.',
      resolution:
        'How far the shares that came true of high and low forecasts lie apart. Higher is better: the forecasts tell decisions apart.',
    },
    tooFew: (cases: number, needed: number) => `not enough cases yet (${cases} of ${needed})`,
    guide: 'How forecasts are compared with outcomes',
  },

  success: {
    title: 'Quality score and success',
    about: 'Whether decisions with a higher score succeeded more often. It says nothing about causes.',
    tooFew: (needed: number) =>
      `It takes ${needed} decisions with an outcome that have a low score, and ${needed} that have a high one.`,
    withSuccess: 'A higher score went with success here.',
    notShown: 'It does not show here that a higher score goes with success.',
    withFailure: 'A higher score went with failure here.',
    compared: (high: string, low: string, highCases: number, lowCases: number) =>
      `Of ${number(highCases)} decisions with a high score ${high} succeeded, of ${number(lowCases)} with a low one ${low}.`,
    difference: (points: string, range: string) =>
      `The difference is ${points} percentage points (95% interval: ${range}).`,
    table: 'Success by quality score',
    columns: ['Score', 'Cases', 'Succeeded', '95% interval'],
    bands: { low: 'low: below 40', middle: 'middle: 40 to below 70', high: 'high: from 70' },
    range: (from: string, to: string) => `${from} to ${to}`,
    interval: '95% interval',
    intervalMeans:
      'The values that these cases leave plausible; with few cases they are wide apart. A difference shows if its interval does not contain 0.',
    guide: 'How the score is compared with success',
  },

  overdue: {
    title: 'Overdue',
    about: 'These outcomes were expected by now. Log what happened.',
    none: 'Nothing is overdue.',
    table: 'Overdue decisions',
    decision: 'Decision',
    expectedBy: 'Expected by',
    outcome: 'Outcome',
    outcomeOf: (title: string) => `Outcome of ${title}`,
    undecided: 'Not decided yet',
    choose: 'Choose',
    log: 'Log',
    logOf: (title: string) => `Log outcome of ${title}`,
    logged: (title: string) => `The outcome of “${title}” is logged.`,
  },

  calendar: {
    title: 'Calendar feed',
    about:
      'Shows overdue and expected outcomes in your own calendar program, which subscribes to a private address. A new address replaces the previous one, and a new password ends it.',
    newAddress: 'New address',
    address: 'address',
    addressNote: "Anyone with this address can read the titles of this workspace's due decisions.",
    addressHint: 'In most calendar programs: add a calendar, from an address (URL).',
    end: 'End feed',
    endTitle: 'Revoke your calendar feed?',
    endConsequence: 'Calendars with this address get no more updates.',
    ended: 'The address no longer works.',
  },
});
