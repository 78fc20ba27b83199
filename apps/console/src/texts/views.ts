import { defineTexts } from './define-texts.ts';

/** Filters of a list that have a name. */
export const viewsTexts = defineTexts('views', {
  views: 'Views',
  viewsHint: 'Filter and sort, then give the view a name to return to it.',
  viewName: 'Save this view as',
  isShared: 'shared',
  share: 'Share with the workspace',
  unshare: 'Stop sharing',
  favourite: (name: string) => `Favourite: ${name}`,
  actionsOf: (name: string) => `Actions for the view ${name}`,
  makeDefault: 'Open the list with it',
  noDefault: 'Open the list without it',
  replaceView: 'Replace by what is shown',
  removeView: 'Remove the view',
});
