import type { Field, RecordType } from '../schemas.ts';
import { annotation, attribute, docstring, head } from './text.ts';

/** The names of records with what only one answer shows: a key, a secret, or an address with a token. */
const WITH_SECRET = /With(?:Secret|Url|Link)$/;
const SECRETS = new Set(['key', 'secret', 'url', 'link', 'token']);

/** The records of answers, as pydantic models. */
export function modelsModule(records: RecordType[]): string {
  return `${head('The records of the API.')}
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer


def _as_sent(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


Time = Annotated[datetime, PlainSerializer(_as_sent, when_used="json")]
"""A time. JSON of a record has it as the API sends it."""


class Record(BaseModel):
    """A record. Fields that this version does not know are kept. Errors do not show values."""

    model_config = ConfigDict(extra="allow", frozen=True, populate_by_name=True, protected_namespaces=(), defer_build=True, hide_input_in_errors=True)
${records.map(modelOf).join('')}`;
}

function modelOf({ name, description, fields }: RecordType): string {
  const doc = docstring(description, 4);
  const lines = fields.map((field) => {
    const isSecret = WITH_SECRET.test(name) && SECRETS.has(field.name);
    return modelField(field, isSecret) + docstring(field.description, 4);
  });
  return `\n\nclass ${name}(Record):\n${doc}${doc && lines.length > 0 ? '\n' : ''}${lines.join('') || '    pass\n'}`;
}

function modelField({ name, type, isRequired }: Field, isSecret: boolean): string {
  const own = attribute(name);
  const isOptional = !isRequired || type.nullable === true;
  const options = [
    ...(isOptional ? ['default=None'] : []),
    ...(own === name ? [] : [`alias="${name}"`]),
    ...(isSecret ? ['repr=False'] : []),
  ];
  const value =
    options.length === 0 ? '' : options.join() === 'default=None' ? 'None' : `Field(${options.join(', ')})`;
  const annotated = annotation(isOptional ? { ...type, nullable: true } : type, '');
  return `    ${own}: ${annotated}${value && ` = ${value}`}\n`;
}

/** The objects in bodies of requests, as typed dictionaries. */
export function inputsModule(inputs: RecordType[]): string {
  return `${head('The objects in requests.')}
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from typing_extensions import Required, TypedDict
${inputs.map(inputOf).join('')}`;
}

function inputOf({ name, description, fields }: RecordType): string {
  const lines = fields.map((field) => {
    const annotated = annotation(field.type, '', 'Sequence');
    const type = field.isRequired ? `Required[${annotated}]` : annotated;
    return `    ${sentName(field)}: ${type}\n${docstring(field.description, 4)}`;
  });
  return `\n\nclass ${name}(TypedDict, total=False):\n${docstring(description, 4)}${lines.join('')}`;
}

/** Returns the name under which a field of a body is sent. @throws Error if it is not one in snake_case. */
export function sentName({ name, hasSnakeName }: Field): string {
  const own = attribute(name);
  if (own !== name && !hasSnakeName) throw new Error(`a request cannot have ${name} in snake_case`);
  return own;
}
