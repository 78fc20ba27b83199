import {
  ApiError,
  invalid,
  type ListSettings,
  type ListSettingsUpdate,
  limits,
  newId,
  roleReaches,
  type SavedView,
  type SavedViewCreate,
  type SavedViewUpdate,
  viewFilters,
} from '@waymark/contracts';
import { type RequestContext, signedIn } from '@waymark/service-kit/http';
import { changesBetween } from '@waymark/service-kit/store';
import { changeRecord, changeWorkspace, type Reference, type WorkspaceChange } from './change-workspace.ts';
import { type AccountsContext, timestamp } from './context.ts';
import type { SavedViewRecord } from './store/saved-views.ts';
import { listSettingsView, savedViewView } from './views.ts';

const FIELDS = ['name', 'query', 'columns', 'shared'] as const;

const placeOf = (ctx: RequestContext, kind: SavedView['kind']) => ({
  workspace_id: ctx.access.workspaceId,
  user_id: signedIn(ctx).user_id,
  kind,
});

/** Favourites and a default view that the caller no longer sees are left out. */
export async function listViews({ store }: AccountsContext, ctx: RequestContext, kind: SavedView['kind']) {
  const place = placeOf(ctx, kind);
  const [found, stored] = await Promise.all([
    store.savedViews.visibleTo(place),
    store.savedViews.settingsOf(place),
  ]);
  const ids = new Set(found.map(({ id }) => id));
  const { default_view_id, favourite_ids } = stored;
  const settings = {
    ...stored,
    default_view_id: default_view_id !== null && ids.has(default_view_id) ? default_view_id : null,
    favourite_ids: favourite_ids.filter((id) => ids.has(id)),
  };
  const data = found.map(savedViewView).sort((a, b) => a.name.localeCompare(b.name));
  return { data, settings: listSettingsView(settings) };
}

/** Throws FORBIDDEN when a viewer shares one, VALIDATION_ERROR for foreign filters, LIMIT_EXCEEDED. */
export function createView(
  service: AccountsContext,
  ctx: RequestContext,
  { workspace_id: _, ...input }: SavedViewCreate,
): Promise<SavedView> {
  return changeWorkspace(service, ctx, async (change) => {
    const created_at = timestamp(service);
    const view: SavedViewRecord = {
      ...{ id: newId(), workspace_id: change.workspace.id, owner_id: change.callerId },
      ...input,
      ...{ created_at, updated_at: created_at, version: 1 },
    };
    checkMayChange(change, view);
    checkFilters(view);
    await checkCount(service, change, view);
    await service.store.savedViews.insert(view, change.tx.session);
    tellOfShared(change, null, view);
    return savedViewView(view);
  });
}

/** Throws NOT_FOUND for a private view of another person, FORBIDDEN, VALIDATION_ERROR, LIMIT_EXCEEDED. */
export function updateView(
  service: AccountsContext,
  ctx: RequestContext,
  reference: Reference,
  { workspace_id: _, ...input }: SavedViewUpdate,
): Promise<SavedView> {
  return changeView(service, ctx, reference, async (change, view) => {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const next = { ...view, ...given };
    if (Object.keys(changesBetween(view, next, FIELDS)).length === 0) return savedViewView(view);
    checkMayChange(change, next);
    checkFilters(next);
    if (view.shared && !next.shared && view.owner_id !== change.callerId)
      throw forbidden('Only its owner can stop sharing a view; delete it instead.');
    const updated = { ...next, version: view.version + 1, updated_at: timestamp(service) };
    await service.store.savedViews.replace(updated, change.tx.session);
    if (view.shared !== updated.shared) await checkCount(service, change, updated, 0);
    tellOfShared(change, view, updated);
    return savedViewView(updated);
  });
}

/** Throws as `updateView`. */
export function deleteView(service: AccountsContext, ctx: RequestContext, reference: Reference) {
  return changeView(service, ctx, reference, async (change, view) => {
    await service.store.savedViews.remove(view, change.tx.session);
    tellOfShared(change, view, null);
  });
}

/** Throws VALIDATION_ERROR for a view that the caller does not see. */
export function updateListSettings(
  service: AccountsContext,
  ctx: RequestContext,
  { workspace_id: _, kind, ...input }: ListSettingsUpdate,
): Promise<ListSettings> {
  const { savedViews } = service.store;
  const place = placeOf(ctx, kind);
  return changeWorkspace(service, ctx, async ({ tx: { session } }) => {
    const { default_view_id, favourite_ids } = input;
    const seen = new Set((await savedViews.visibleTo(place, session)).map(({ id }) => id));
    const unseen = 'is not a view of this list';
    if (default_view_id && !seen.has(default_view_id)) throw invalid('defaultViewId', unseen);
    if (favourite_ids?.some((id) => !seen.has(id))) throw invalid('favouriteIds', unseen);
    return listSettingsView(await savedViews.changeSettings(place, input, session));
  });
}

async function changeView<T>(
  service: AccountsContext,
  ctx: RequestContext,
  reference: Reference,
  work: (change: WorkspaceChange, view: SavedViewRecord) => Promise<T>,
): Promise<T> {
  const { byId } = service.store.savedViews;
  return changeRecord(service, ctx, reference, byId, (change, view) => {
    if (!view.shared && view.owner_id !== change.callerId) throw new ApiError('NOT_FOUND');
    checkMayChange(change, view);
    return work(change, view);
  });
}

function checkMayChange({ role, callerId }: WorkspaceChange, { shared, owner_id }: SavedViewRecord): void {
  if (!shared || roleReaches(role, owner_id === callerId ? 'member' : 'admin')) return;
  throw forbidden('A shared view is changed by its owner, as a member, or by an admin.');
}

function checkFilters({ kind, query, shared }: SavedViewRecord): void {
  if (shared && query.ip) throw invalid('query.ip', 'is not for a shared view: only admins see addresses');
  const other = Object.keys(query).find((name) => !viewFilters[kind].includes(name));
  if (other) throw invalid(`query.${other}`, 'is not a filter of this list');
}

const forbidden = (message: string) => new ApiError('FORBIDDEN', { reason: 'role', message });

/** Throws LIMIT_EXCEEDED when there are too many views like this one with `added` more. */
async function checkCount(
  { store }: AccountsContext,
  { tx, workspace }: WorkspaceChange,
  { shared, owner_id }: SavedViewRecord,
  added = 1,
): Promise<void> {
  const owner = shared ? {} : { owner_id };
  const count = await store.savedViews.count({ workspace_id: workspace.id, shared, ...owner }, tx.session);
  const max = shared ? limits.sharedViewsPerWorkspace : limits.viewsPerUser;
  if (count + added <= max) return;
  const whose = shared ? 'The workspace already has' : 'You already have';
  throw new ApiError('LIMIT_EXCEEDED', { message: `${whose} ${max} views, the maximum; delete one first.` });
}

/** Others see a view while it is shared: an event says what changes for them. */
function tellOfShared(
  { tx }: WorkspaceChange,
  before: SavedViewRecord | null,
  after: SavedViewRecord | null,
): void {
  const [was, is] = [before, after].map((view) => (view?.shared ? view : null));
  const view = is ?? was;
  if (!view) return;
  const event = {
    subject: { type: 'view' as const, id: view.id, version: after?.version ?? view.version + 1 },
    data: savedViewView(view),
    changes: changesBetween(was ?? null, is ?? null, FIELDS),
  };
  if (is) tx.emit('view.shared', event);
  else tx.emit('view.unshared', { ...event, action: 'view.unshare' });
}
