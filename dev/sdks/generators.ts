import { chartValuesPage } from '../chart-values-page.ts';
import { configurationPage } from '../configuration-page.ts';
import { usersFile } from '../nats-users.ts';
import { type Description, describeApi } from './description.ts';
import { goFiles } from './go/go.ts';
import { pythonFiles } from './python/python.ts';
import { typescriptFiles } from './typescript.ts';

/** Each returns the generated files of an SDK by path. */
const generators: ((api: Description) => Record<string, string>)[] = [typescriptFiles, pythonFiles, goFiles];

/** Returns every generated file by path, except the types of the client. */
export function generatedFiles(): Record<string, string> {
  const api = describeApi();
  const sdks = generators.map((generate) => generate(api));
  const others = {
    'deploy/helm/waymark/files/nats-users.conf': usersFile(),
    'docs/operating/chart-values.md': chartValuesPage(),
    'docs/operating/configuration.md': configurationPage(),
  };
  return Object.assign(others, ...sdks);
}
