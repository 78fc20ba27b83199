import { etagOf } from '@waymark/contracts';
import type { Description } from '../description.ts';
import { pascalCase } from '../names.ts';
import { inputsModule, modelsModule } from './records.ts';
import { resourcesModule } from './resources.ts';
import { attribute, docstring, head, memberOf } from './text.ts';

const FOLDER = 'sdks/python/src/waymark_sdk';

/** Returns the generated modules of the SDK for Python. */
export function pythonFiles(api: Description): Record<string, string> {
  return {
    [`${FOLDER}/models.py`]: modelsModule(api.records),
    [`${FOLDER}/inputs.py`]: inputsModule(api.inputs),
    [`${FOLDER}/errors.py`]: errorsModule(api.errors),
    [`${FOLDER}/resources.py`]: resourcesModule(api.operations, { isAsync: false }),
    [`${FOLDER}/async_resources.py`]: resourcesModule(api.operations, { isAsync: true }),
    [`${FOLDER}/_contract.py`]: contractModule(api),
  };
}

function errorsModule(errors: Description['errors']): string {
  const classes = errors.map(
    ({ code, status }) => `\n\nclass ${errorClass(code)}(ApiError):\n${docstring(`${status} ${code}`, 4)}`,
  );
  const entries = errors.map(({ code }) => `    "${code}": ${errorClass(code)},\n`);
  return `${head('A class for each error code of the API.')}
from ._errors import ApiError
${classes.join('')}

ERRORS: dict[str, type[ApiError]] = {
${entries.join('')}}
"""The classes by code. A code that this version does not know is an ApiError."""
`;
}

function errorClass(code: string): string {
  const name = pascalCase(code.toLowerCase());
  return name.endsWith('Error') ? name : `${name}Error`;
}

function contractModule({ basePath, operations }: Description): string {
  const entries = operations.map(
    (operation) =>
      `    "${operation.id}": ("${attribute(operation.group ?? '')}", "${memberOf(operation)}"),\n`,
  );
  return `${head('What the SDK knows of the API as a whole.')}
BASE_PATH = "${basePath}"


def etag_of(version: int) -> str:
    """Returns the ETag of a version of a record."""
    return f'${etagOf(0).replace('0', '{version}')}'


OPERATIONS: dict[str, tuple[str, str]] = {
${entries.join('')}}
"""The group and the method of each operation, by its operationId. Without a group it is a method of the client."""
`;
}
