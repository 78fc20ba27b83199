import { callApi } from './api.ts';

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
  const created = await callApi<{ key: string }>(`${baseUrl}/api-keys`, {
    method: 'POST',
    headers: { cookie },
    body: { workspaceId, name, scopes: ['read', 'write'] },
  });
  return { workspaceId, key: created.body.key, cookie };
}
