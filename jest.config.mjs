import { jestConfigOf } from './dev/test/suites.ts';

export default jestConfigOf(process.env.TEST_SUITE ?? 'fast');
