import { camelCase, type Operation, operations, recordOf } from '@waymark/contracts';
import { z } from 'zod';
import { WORKSPACE } from '../operations/parameters.ts';

export type Fields = Record<string, unknown>;

/** A list of the file, and the operations with which its records are read and changed. */
export interface Section {
  /** The name of the list in the file. */
  name: string;
  /** One of its records, in messages. */
  noun: string;
  /** The field that tells its records apart. */
  key: string;
  /** A record in the file. */
  entry: z.ZodObject;
  list: Operation;
  create: Operation;
  update: Operation;
  remove: Operation;
  /** The further effects of a creation and of a removal. */
  creation: string;
  removal: string;
  /** The secret that only the answer to a creation has, by its name in the output. */
  secretOf?: (created: Fields) => Fields;
}

const fieldsOf = ({ body }: Operation): z.core.$ZodLooseShape => {
  const { [WORKSPACE]: _, ...fields } = recordOf(body)?.shape ?? {};
  return fields;
};

const ofWebhooks = { ...fieldsOf(operations.updateWebhook), ...fieldsOf(operations.createWebhook) };

const webhooks: Section = {
  name: 'webhooks',
  noun: 'webhook',
  key: 'url',
  // A new one is enabled.
  entry: z.strictObject({ ...ofWebhooks, enabled: z._default(ofWebhooks['enabled']!, true) }),
  list: operations.listWebhooks,
  create: operations.createWebhook,
  update: operations.updateWebhook,
  remove: operations.deleteWebhook,
  creation: '',
  removal: 'its pending deliveries are cancelled',
  secretOf: ({ secret }) => ({ secret }),
};

/** People with a role, and those who are invited by e-mail address and have not accepted yet. */
export const members: Section = {
  name: 'members',
  noun: 'member',
  key: 'email',
  // Nobody gets a role by leaving it out.
  entry: z.strictObject({ ...fieldsOf(operations.addMember), ...fieldsOf(operations.updateMember) }),
  list: operations.listMembers,
  create: operations.addMember,
  update: operations.updateMember,
  remove: operations.removeMember,
  creation: 'is invited, and becomes a member by accepting',
  removal: 'the API keys that the member created are revoked',
  // A mailed link is in the mail.
  secretOf: ({ url, mail }) => (mail === null ? { link: url } : {}),
};

/** Their API keys are not in the file. */
const serviceAccounts: Section = {
  name: 'serviceAccounts',
  noun: 'service account',
  key: 'name',
  entry: z.strictObject(fieldsOf(operations.createServiceAccount)),
  list: operations.listServiceAccounts,
  create: operations.createServiceAccount,
  update: operations.updateServiceAccount,
  remove: operations.deleteServiceAccount,
  creation: '',
  removal: 'its API keys are revoked',
};

export const sections: readonly Section[] = [webhooks, members, serviceAccounts];

/** Returns the key of a record, without differences that do not count. */
export function keyOf({ key }: Section, fields: Fields): string {
  const text = String(fields[key]);
  return key === 'url' ? (URL.parse(text)?.href ?? text) : text;
}

/** Returns the fields for the creation of a record, and those that it then lacks. */
export function createdFields({ create, entry }: Section, fields: Fields): [Fields, Fields] {
  const accepted = fieldsOf(create);
  const given = Object.entries(fields);
  const isLater = ([name, value]: [string, unknown]) =>
    !(name in accepted) && value !== entry.shape[name]!.parse(undefined);
  return [
    Object.fromEntries(given.filter(([name]) => name in accepted)),
    Object.fromEntries(given.filter(isLater)),
  ];
}

/** Returns the fields of a record that the file has, by their names in the file and in its order. */
export function fieldsInFile({ entry }: Section, record: object): Fields {
  const given = new Map(Object.entries(record).map(([name, value]) => [camelCase(name), value]));
  return Object.fromEntries(Object.keys(entry.shape).map((name) => [name, sorted(given.get(name))]));
}

/** No field is a list whose order makes a difference. */
export const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : value);
