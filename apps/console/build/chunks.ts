/**
 * Files that a page needs together, each with all that it imports and that no chunk of a higher priority has.
 * Left to itself, the bundler makes a file of each combination of pages: 30 requests for a list. What is not
 * named here stays with its page. tests/e2e/first-load.test.ts holds the sizes.
 */
export const chunks = [
  // Runs before all others have arrived.
  { name: 'boot', test: /src\/boot\.ts$|rolldown\/runtime/, priority: 10 },
  // With the fields of most pages, so that only forms load those of signing in.
  {
    name: 'main',
    test: /src\/main\.tsx$|components\/(ActionIcon|Anchor|Divider|Group|NativeSelect|Paper|Stack|Text|TextInput|Title)\/\1\.mjs$|hooks\/esm\/use-(debounced|uncontrolled)|(CheckIcon|InlineInput|InputsGroupFieldset|create-safe-context|get-auto-contrast-value|use-merged-ref)\.mjs$|\/use(Mutation|Query)\.js$|src\/ui\/(in-turn|language-select|links|mark)\.tsx$|styles\/(ActionIcon|Input|PasswordInput)\.css$/,
    priority: 9,
  },
  // With it the forms.
  { name: 'entrance', test: /src\/auth\/sign-in-page\.tsx$/, priority: 8 },
  {
    name: 'console',
    test: /src\/(app\/shell|decisions\/list\/decision-list-page|session\/recent-items)\.tsx?$/,
    priority: 7,
  },
  { name: 'decision', test: /src\/decisions\/page\/decision-page\.tsx$/, priority: 6 },
  { name: 'filters', test: /src\/decisions\/list\/decision-filter-bar\.tsx$/, priority: 6 },
  {
    name: 'pickers',
    test: /src\/ui\/list\/facet-select\.tsx$|components\/(Badge|Code|Kbd|Menu|Popover|Switch|Tooltip)\/\1\.mjs$|icons\/x\.mjs$/,
    priority: 5,
  },
  { name: 'canvas', test: /src\/workflows\/workflow-page\.tsx$/, priority: 4 },
  { name: 'dialogs', test: /src\/ui\/dialog\/dialog\.tsx$/, priority: 3 },
  {
    name: 'layouts',
    test: /components\/(Fieldset|Grid|Progress|Radio|SimpleGrid|Textarea)\/\1\.mjs$/,
    priority: 3,
  },
  { name: 'common', test: /node_modules|src\/ui\/(?!dialog|snippet)/, minShareCount: 3, priority: 2 },
  { name: 'german', test: /src\/texts\/de\//, priority: 1 },
];
