import { useQueryClient } from '@tanstack/react-query';
import { toStored } from '../ui/text/mentions.ts';
import { peopleQuery } from '../workspace/people.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';

/** Returns a function that turns a written text into the one to store; it reads the members if need be. */
export function useStored(): (text: string) => Promise<string> {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  return async (text) =>
    text.includes('@') ? toStored(text, await queryClient.ensureQueryData(peopleQuery(workspaceId))) : text;
}
