import { operationList } from '@waymark/contracts';
import type { OperationDescription } from '../../../../dev/sdks/description.ts';
import { methodOf } from '../../../../dev/sdks/go/methods.ts';
import { camelCase } from '../../../../dev/sdks/names.ts';
import { attribute, memberOf } from '../../../../dev/sdks/python/text.ts';
import { isCommand } from '../../../cli/src/operations/command-name.ts';

/** The name of an operation in each SDK and on the command line; null where it is missing. */
export interface MethodNames {
  typeScript: string | null;
  python: string;
  go: string;
  command: string | null;
}

export function methodNames(operation: OperationDescription): MethodNames {
  const { id, group, verb, result } = operation;
  const named = (groupName: (group: string) => string, verbName: string) =>
    ['waymark', ...(group === null ? [] : [groupName(group)]), verbName].join('.');
  return {
    typeScript: result.kind === 'redirect' ? null : named(camelCase, camelCase(verb)),
    python: named(attribute, memberOf(operation)),
    go: `client.${methodOf(operation)}`,
    command: isCommand(operationList.find((each) => each.id === id)!)
      ? ['waymark', group ?? [], verb].flat().join(' ')
      : null,
  };
}
