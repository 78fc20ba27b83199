import { getRouteApi } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import { Person } from '../../ui/avatar.tsx';
import { useDecisionFacets } from './decision-facets.ts';

const route = getRouteApi('/user/w/$workspaceId/decisions');

const Names = createContext<ReadonlyMap<string, string>>(new Map());

/** Loads the names of the authors after the rows. Their arrival renders the names again, not the rows. */
export function AuthorNames({ children }: { children: ReactNode }) {
  const authors = useDecisionFacets(route.useSearch())?.authors ?? [];
  return <Names value={new Map(authors.map(({ id, name }) => [id, name]))}>{children}</Names>;
}

/** Keeps its line free until the name is known. */
export function AuthorName({ id }: { id: string }) {
  const name = useContext(Names).get(id);
  return name ? <Person name={name} /> : '\u00a0';
}
