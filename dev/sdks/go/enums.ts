import type { RecordType, Type } from '../schemas.ts';
import { block, comment } from './format.ts';
import { exported } from './names.ts';

interface Enum {
  name: string;
  /** The record or the operation that it was found in; empty if it is that of all fields of this name. */
  owner: string;
  field: string;
  values: readonly string[];
}

/** How many fields must have an enum so that it has the name of the field alone. */
const SHARED_BY = 3;

/**
 * Names each enum. If one list of values includes all others of the same field, they share a type with the
 * name of the field. Otherwise those of records whose names begin alike do: DecisionCreate and Decision.
 */
export function namedEnums(records: readonly RecordType[]): Enum[] {
  const taken = new Set(records.map(({ name }) => exported(name)));
  // A filter has values of records, and takes their name.
  const isFilter = ({ name }: RecordType) => name.endsWith('Query');
  const ordered = [...records.filter((one) => !isFilter(one)), ...records.filter(isFilter)];
  const found = ordered.flatMap(({ name: owner, fields }) =>
    fields.flatMap(({ name: field, type }) => {
      const values = valuesOf(type);
      return values ? [{ owner, field: type.kind === 'list' ? singular(field) : field, values }] : [];
    }),
  );
  const enums: Enum[] = [];
  for (const group of Map.groupBy(found, ({ field }) => exported(field)).values()) {
    const longest = group.reduce((a, b) => (b.values.length > a.values.length ? b : a));
    const name = exported(longest.field);
    const isShared =
      group.length >= SHARED_BY && group.every(({ values }) => contains(longest.values, values));
    if (isShared && !taken.has(name)) enums.push({ ...longest, name, owner: '' });
    for (const one of group) {
      if (nameOfEnum(enums, one, one.values)) continue;
      const own = exported(`${one.owner} ${one.field}`);
      // The type of another field may have this name, such as quality_model for the model of Quality.
      const isTaken = enums.some((other) => other.name === own);
      enums.push({ ...one, name: isTaken ? `${own}Value` : own });
    }
  }
  return enums;
}

/** Returns the enum with the values of a field; it may have more if the names of the records begin alike. */
export function nameOfEnum(
  enums: readonly Enum[],
  { owner, field }: { owner: string; field: string },
  values: readonly string[],
): string | undefined {
  const names = [exported(field), exported(singular(field))];
  return enums.find(
    (one) =>
      names.includes(exported(one.field)) &&
      contains(one.values, values) &&
      (owner.startsWith(one.owner) || contains(values, one.values)),
  )?.name;
}

export function enumLines({ name, owner, field, values }: Enum): string[] {
  const about = `${name} is a value of ${owner && `${exported(owner)} `}${field}.`;
  const rows = values.map((value) => ({
    comment: '',
    cells: [name + exported(value.replace(/^-(.*)/, '$1 descending')), name, `= ${JSON.stringify(value)}`],
  }));
  return [
    ...comment(`${about} The installation may send values that are not listed.`),
    `type ${name} string`,
    '',
    'const (',
    ...block(rows),
    ')',
    '',
  ];
}

function valuesOf(type: Type): readonly string[] | undefined {
  if (type.kind === 'enum') return type.values;
  return type.kind === 'list' || type.kind === 'map' ? valuesOf(type.of) : undefined;
}

const singular = (field: string) => field.replace(/(?<!u)s$/, '');
const contains = (all: readonly string[], some: readonly string[]) =>
  some.every((each) => all.includes(each));
