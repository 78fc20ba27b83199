import { defaultsOf, type InputOf, ListSettings, type Operations, SavedView } from '@waymark/contracts';
import { type Database, type DatabaseSession, recordCollection } from '@waymark/service-kit/store';

export interface SavedViewRecord extends SavedView {
  version: number;
}

interface SettingsRecord extends ListSettings {
  id: string;
  workspace_id: string;
  user_id: string;
}
export interface Place {
  workspace_id: string;
  user_id: string;
  kind: SavedView['kind'];
}
type Given = Omit<InputOf<Operations['updateListSettings']>['body'], 'workspace_id' | 'kind'>;

export function savedViewStore(database: Database) {
  const views = recordCollection<SavedViewRecord>(database, 'saved_views', {
    defaults: defaultsOf(SavedView),
  });
  const settings = recordCollection<SettingsRecord>(database, 'list_settings', {
    defaults: defaultsOf(ListSettings),
  });
  const idOf = ({ workspace_id, user_id, kind }: Place) => `${workspace_id}/${user_id}/${kind}`;
  return {
    byId: views.byId,
    insert: views.insert,
    count: views.count,
    replace: views.replace,
    remove: views.remove,

    /** Returns the views that the user owns, and those that are shared. */
    visibleTo: ({ workspace_id, user_id, kind }: Place, session?: DatabaseSession) =>
      views.find(
        {
          $or: [
            { workspace_id, owner_id: user_id, kind },
            { workspace_id, shared: true, kind },
          ],
        },
        { sort: { _id: 1 }, session },
      ),

    async settingsOf(place: Place): Promise<ListSettings> {
      const _id = idOf(place);
      return (await settings.byId(_id)) ?? settings.recordOf({ _id, ...place });
    },

    async changeSettings(place: Place, given: Given, session: DatabaseSession): Promise<ListSettings> {
      const options = { session, upsert: true, returnDocument: 'after' } as const;
      const set = Object.entries({ ...place, ...given }).filter(([, value]) => value !== undefined);
      const change = { $set: Object.fromEntries(set) };
      return settings.recordOf(
        await settings.collection.findOneAndUpdate({ _id: idOf(place) }, change, options),
      );
    },

    /** Removes the views of a person in a workspace; shared ones stay for the others. */
    async removeOf(workspace_id: string, user_id: string, session: DatabaseSession): Promise<void> {
      await views.collection.deleteMany({ workspace_id, owner_id: user_id, shared: false }, { session });
      await settings.collection.deleteMany({ workspace_id, user_id }, { session });
    },
  };
}
