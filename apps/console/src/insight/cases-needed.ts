/** The API has no figure from fewer cases. */
export const CASES_NEEDED = 10;
