import { Bookmark } from 'lucide-react';
import { viewsTexts as t } from '../texts/views.ts';
import { lazyPart } from '../ui/lazy-page.ts';
import { LoadOnClick } from '../ui/load-on-click.tsx';
import { ViewLink } from './view-link.tsx';
import { useViews, type ViewedList } from './views-query.ts';

const SavedViews = lazyPart(() => import('./saved-views.tsx'));

/** The favourite views of a list, and all of them with a click. `query` is what the list shows. */
export function ListViews({ list, query }: { list: ViewedList; query: object }) {
  const views = useViews(list.kind);
  const favourites = views?.data.filter(({ id }) => views.settings.favourite_ids.includes(id)) ?? [];
  return (
    <>
      {favourites.map((view) => (
        <ViewLink key={view.id} list={list} view={view} />
      ))}
      <LoadOnClick label={t.views} icon={<Bookmark size={16} />}>
        <SavedViews list={list} query={query} />
      </LoadOnClick>
    </>
  );
}
