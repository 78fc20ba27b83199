import type { uiTexts } from '../ui.ts';

export const ui: typeof uiTexts = {
  language: 'Sprache',
};
