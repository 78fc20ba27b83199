/** Environment variable with the URL of the product that the test files of a run share. */
export const PRODUCT_URL = 'TEST_PRODUCT_URL';
