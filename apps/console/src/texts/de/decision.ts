import type { RaisingAction } from '@waymark/quality';
import type { decisionTexts } from '../decision.ts';
import { number, sentence } from '../format.ts';
import { words } from './words.ts';

const ACTIONS: Record<RaisingAction, string> = {
  'Word the title or the question in four words or more.':
    'Formuliere den Titel oder die Frage mit mindestens vier Wörtern.',
  'Describe the situation in 200 characters or more.': 'Beschreibe die Lage mit mindestens 200 Zeichen.',
  'Describe the situation in 30 different words or more.':
    'Beschreibe die Lage mit mindestens 30 verschiedenen Wörtern.',
  'Consider at least two distinct options.': 'Erwäge mindestens zwei verschiedene Optionen.',
  'Record as options what the text lists.': 'Trage als Optionen ein, was der Text auflistet.',
  'Consider a third option.': 'Erwäge eine dritte Option.',
  'Give every option a pro and a con.': 'Nenne zu jeder Option einen Vorteil und einen Nachteil.',
  'Link to evidence in the description, the rationale, or a pro or con.':
    'Verlinke Belege in der Beschreibung, in der Begründung oder in einem Vor- oder Nachteil.',
  'Name at least two criteria.': 'Nenne mindestens zwei Kriterien.',
  'List a con of the chosen option.': 'Nenne einen Nachteil der gewählten Option.',
  'Name the chosen option in the resolution, and list a con of it.':
    'Nenne im Beschluss die gewählte Option und nenne einen Nachteil von ihr.',
  'Give the rationale in 300 characters or more.': 'Begründe mit mindestens 300 Zeichen.',
  'Give the reasons in 40 different words or more.': 'Begründe mit mindestens 40 verschiedenen Wörtern.',
  'State the resolution.': 'Gib den Beschluss an.',
  'Name at least two of the options in the rationale.':
    'Nenne in der Begründung mindestens zwei der Optionen.',
  'Say by when the outcome is expected.': 'Sage, bis wann das Ergebnis erwartet wird.',
  'Say who decided.': 'Sage, wer entschieden hat.',
  'Accept or reject the decision.': 'Nimm die Entscheidung an oder lehne sie ab.',
  'State your confidence in success before the outcome is known.':
    'Gib deine Konfidenz an, bevor das Ergebnis bekannt ist.',
  'Give the decision a type.': 'Gib der Entscheidung einen Typ.',
  'Tag the decision.': 'Versieh die Entscheidung mit einem Tag.',
};

/** The labels that do not follow from the words for the fields. */
const LABELS: Record<string, string> = {
  options_considered: 'Optionen',
  consulted: 'Konsultiert',
  informed: 'Informiert',
  outcome_confidence_kind: 'Art der Konfidenz',
  created_at: 'Erstellt am',
  id: 'ID',
};

export const decision: typeof decisionTexts = {
  field: (name) => LABELS[name] ?? sentence(words.field(name)),
  optionsConsidered: 'Erwogene Optionen',
  sections: {
    title: 'Titel',
    context: 'Kontext',
    options: 'Optionen und Kriterien',
    reasons: 'Beschluss und Begründung',
    forecast: 'Prognose',
    facts: 'Tags und Status',
    review: 'Überprüfung',
    links: 'Verknüpfungen',
  },
  confidenceKind: { forecast: 'Prognose', retrospective: 'nachträglich' },
  reviewResult: { reaffirm: 'bestätigt', change: 'zu ändern', supersede: 'ersetzt' },
  percentNeeded: 'Eine Zahl von 0 bis 100',
  discardDraft: 'Entwurf verwerfen',

  quality: {
    title: 'Qualität',
    of: (max) => `von ${max}`,
    score: (score) => `Qualitätswert ${score} von 100`,
    points: (points, max) => `${points} von ${max}`,
    components: {
      frame: 'Rahmen',
      alternatives: 'Alternativen',
      information: 'Informationen',
      trade_offs: 'Abwägung',
      reasoning: 'Begründung',
      commitment: 'Verbindlichkeit',
      learnability: 'Lernwert',
    },
    means: {
      'dq-1': {
        frame: 'Ein Titel oder eine Frage mit mindestens vier Wörtern und eine Beschreibung mit 200 Zeichen.',
        alternatives: 'Zwei verschiedene Optionen; eine dritte bringt weitere Punkte.',
        information: 'Ein Vorteil und ein Nachteil für jede Option und ein Link zu Belegen.',
        trade_offs: 'Zwei Kriterien und ein Nachteil der Option, die der Beschluss nennt.',
        reasoning: 'Eine Begründung mit 300 Zeichen, die zwei Optionen nennt, und ein Beschluss.',
        commitment: 'Ein Datum, bis zu dem das Ergebnis erwartet wird, und wer entschieden hat.',
        learnability: 'Eine Prognose, bevor das Ergebnis bekannt ist, ein Typ und ein Tag.',
      },
      'dq-2': {
        frame: 'Ein Titel oder eine Frage mit vier und eine Beschreibung mit 30 verschiedenen Wörtern.',
        alternatives: 'Zwei Optionen oder eine Liste davon im Text; eine dritte bringt weitere Punkte.',
        information: 'Ein Vorteil und ein Nachteil für jede Option und ein Link zu Belegen.',
        trade_offs: 'Zwei Kriterien und ein Nachteil der Option, die der Beschluss nennt.',
        reasoning:
          'Gründe in 40 verschiedenen Wörtern, ein Beschluss und zwei in der Begründung genannte Optionen.',
        commitment:
          'Ein Datum für das Ergebnis, wer entschieden hat, und eine angenommene oder abgelehnte Entscheidung.',
        learnability: 'Eine Prognose, bevor das Ergebnis bekannt ist, ein Typ und ein Tag.',
      },
    },
    guide: 'So entsteht der Qualitätswert',
    capped: {
      'dq-1':
        'Auf 50 begrenzt, bis die Entscheidung einen Rahmen, mindestens zwei Optionen und eine Begründung hat.',
      'dq-2':
        'Auf 50 begrenzt, bis die Entscheidung einen Rahmen, zwei Optionen, eine Begründung und insgesamt 30 verschiedene Wörter hat.',
    },
    raise: 'So steigt der Qualitätswert',
    more: (count) => `${number(count)} weitere`,
    action: (action) => ACTIONS[action as RaisingAction] ?? action,
  },
};
