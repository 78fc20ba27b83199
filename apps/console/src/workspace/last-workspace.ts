import type { Workspace } from '../session/session-query.ts';

const KEY = 'waymark.workspace';

/** The workspace to open if the URL names none: the last open one, else the first. */
export function workspaceToOpen(workspaces: readonly Workspace[]): Workspace | undefined {
  const last = localStorage.getItem(KEY);
  return workspaces.find(({ id }) => id === last) ?? workspaces[0];
}

export function rememberWorkspace(id: string): void {
  localStorage.setItem(KEY, id);
}
