import { createRequire, flushCompileCache, registerHooks } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { takeLastAnswers } from '../http/http-call.ts';
import { removeTestFolders } from '../test-folder.ts';
import { endFile, jest, useGlobals } from './file-globals.ts';

interface TestEvent {
  name: string;
  error?: unknown;
}

type Framework = (
  globalConfig: { testTimeout: number },
  config: unknown,
  environment: { global: { console: Console }; handleTestEvent?: (event: TestEvent) => void },
  runtime: object,
  file: string,
  sendMessageToJest: unknown,
) => Promise<unknown>;

const require = createRequire(import.meta.url);
const circus: { default: Framework } = require('jest-circus/runner');
const globalsUrl = import.meta.resolve('./file-globals.ts');

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globalsUrl, shortCircuit: true } : next(specifier, context),
});

/** Loads a file, which may start what its tests share, within the time that a test has. */
function load(path: string, timeoutMs: number): Promise<unknown> {
  const late = setTimeout(timeoutMs, undefined, { ref: false }).then(() => {
    throw new Error(`${path} was not loaded within ${timeoutMs} ms`);
  });
  return Promise.race([import(`${pathToFileURL(path).href}?run=${Date.now()}`), late]);
}

/** Adds the test's last HTTP answers to the report of its failure. */
function showAnswers({ name, error }: TestEvent): void {
  if (name !== 'test_start' && name !== 'test_fn_failure') return;
  const answers = takeLastAnswers();
  if (name === 'test_fn_failure' && error instanceof Error && answers.length > 0)
    error.stack = `${error.stack}\n\nLast answers:\n${answers.join('\n')}`;
}

/**
 * Runs a test file with Jest's framework, but loads it as Node does, so that the modules stay loaded for the
 * next file. Jest by itself loads all of them again for each file, in a new context where nothing is
 * compiled: that took half of the workers' processor time.
 */
const runTestFile: Framework = async (globalConfig, config, environment, runtime, file, ...rest) => {
  const native = Object.assign(Object.create(runtime), {
    /** Loads the framework anew, as it keeps the tests and the event handlers of a file. */
    requireInternalModule(framework: string) {
      delete (globalThis as Record<symbol, unknown>)[Symbol.for('EVENT_HANDLERS')];
      delete require.cache[framework];
      return require(framework);
    },
    setGlobalsForRuntime: useGlobals,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path: string) => load(path, globalConfig.testTimeout),
  });
  environment.handleTestEvent = showAnswers;
  const own = globalThis.console;
  globalThis.console = environment.global.console;
  try {
    return await circus.default(globalConfig, config, environment, native, file, ...rest);
  } finally {
    globalThis.console = own;
    jest.useRealTimers();
    jest.restoreAllMocks();
    await endFile();
    removeTestFolders();
    // Jest ends a worker that takes 500 ms to exit, which writing the compiled code of all files can.
    flushCompileCache();
  }
};

export default runTestFile;
