import { defineTexts } from './define-texts.ts';

/** Parts of many pages. */
export const uiTexts = defineTexts('ui', {
  language: 'Language',
});
