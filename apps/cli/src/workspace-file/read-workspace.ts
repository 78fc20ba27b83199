import { operations, type Whoami } from '@waymark/contracts';
import { WORKSPACE } from '../operations/parameters.ts';
import { readPages } from '../operations/read-pages.ts';
import { json, type Sender } from '../operations/send.ts';
import type { Connection } from '../profiles/connection.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Fields, fieldsInFile, members, type Section } from './sections.ts';

export interface WorkspaceRecord {
  id: string;
  fields: Fields;
  /** Whether the person is invited and has not accepted yet. */
  isInvitation: boolean;
}

export interface Workspace {
  id: string;
  /** Who reads it: a user or a service account. */
  callerId: string;
  records: Map<Section, WorkspaceRecord[]>;
}

/** Reads the records of a workspace that a file can have. */
export async function readWorkspace(
  sections: Iterable<Section>,
  connection: Connection,
  send: Sender,
  terminal: Terminal,
): Promise<Workspace> {
  const whoami = await send(operations.whoami, { path: {}, query: {}, headers: {} }, json<Whoami>);
  const id = connection.workspaceId ?? whoami.workspaceId!;
  const input = { path: {}, query: { [WORKSPACE]: id }, headers: {} };
  async function read(section: Section, list = section.list): Promise<WorkspaceRecord[]> {
    const { data } = (await readPages(list, input, send, terminal)) as unknown as { data: { id: string }[] };
    const isInvitation = list !== section.list;
    return data.map((record) => ({ id: record.id, fields: fieldsInFile(section, record), isInvitation }));
  }
  const records = new Map<Section, WorkspaceRecord[]>();
  for (const section of sections) records.set(section, await read(section));
  if (records.has(members)) {
    const invitations = await read(members, operations.listInvitations);
    // An invitation for anyone with the link names nobody.
    records.get(members)!.push(...invitations.filter(({ fields }) => fields['email'] !== null));
  }
  return { id, callerId: whoami.userId, records };
}
