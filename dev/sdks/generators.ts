import { usersFile } from '../nats-users.ts';
import { type Description, describeApi } from './description.ts';
import { goFiles } from './go/go.ts';
import { pythonFiles } from './python/python.ts';
import { typescriptFiles } from './typescript.ts';

/** Each returns the generated files of an SDK by path. */
const generators: ((api: Description) => Record<string, string>)[] = [typescriptFiles, pythonFiles, goFiles];

/** Returns every file that the tables of the contracts determine, by path, except the types of the client. */
export function generatedFiles(): Record<string, string> {
  const api = describeApi();
  const sdks = generators.map((generate) => generate(api));
  return Object.assign({ 'deploy/helm/waymark/files/nats-users.conf': usersFile() }, ...sdks);
}
