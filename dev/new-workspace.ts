import { callApi, callsOf } from './api.ts';

export interface NewWorkspace {
  workspaceId: string;
  /** A key with the scopes read and write. */
  key: string;
  /** The owner's session cookie. */
  cookie: string;
}

/** Signs up a user with this name and returns the workspace, for benches and tests. */
export async function newWorkspace(baseUrl: string, name: string): Promise<NewWorkspace> {
  const signedUp = await callApi<{ workspaces: { id: string }[] }>(`${baseUrl}/auth/sign-up`, {
    method: 'POST',
    body: { email: `${name}@example.com`, password: 'correct horse battery', name },
  });
  const workspaceId = signedUp.body.workspaces[0]!.id;
  const cookie = signedUp.cookie!;
  const newKey = { workspaceId, name, scopes: ['read', 'write'] };
  const { key } = await callsOf(baseUrl, { cookie })<{ key: string }>('POST', '/api-keys', newKey);
  return { workspaceId, key, cookie };
}
