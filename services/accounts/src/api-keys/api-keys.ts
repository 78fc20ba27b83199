import {
  ApiError,
  type ApiKey,
  type ApiKeyCreate,
  apiKeyPrefix,
  type CursorCodec,
  hashSecret,
  invalid,
  mintApiKey,
  newId,
  scopes,
} from '@waymark/contracts';
import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import { changesBetween, type PageRequest, type Transaction } from '@waymark/service-kit/store';
import type { AccountsConfig } from '../config.ts';
import type { ApiKeyRecord } from '../store/api-keys.ts';
import type { Store } from '../store/index.ts';
import { keyTag } from '../tags.ts';
import { apiKeyView } from '../views.ts';
import type { ChangeWorkspace, WorkspaceChange } from '../workspaces/change-workspace.ts';

/** A key with its plaintext, which only the first answer to its creation has. */
export type NewApiKey = ApiKey & { key?: string };

const GRANTS = ['name', 'scopes', 'allowed_ips', 'expires_at'] as const;

function withoutKey(made: NewApiKey): NewApiKey {
  const visible = { ...made };
  delete visible.key;
  return visible;
}

export function createApiKeys(options: {
  store: Store;
  changeWorkspace: ChangeWorkspace;
  cursors: CursorCodec;
  config: AccountsConfig;
  now: () => number;
}) {
  const { store, changeWorkspace, cursors, config, now } = options;
  const iso = (timeMs = now()) => new Date(timeMs).toISOString();
  const subject = ({ id, version }: ApiKeyRecord) => ({ type: 'api_key', id, version });

  async function mint(change: WorkspaceChange, grants: Pick<ApiKeyRecord, (typeof GRANTS)[number]>) {
    const key = mintApiKey();
    const record: ApiKeyRecord = {
      id: newId(),
      workspace_id: change.workspace.id,
      name: grants.name,
      key_hash: hashSecret(key),
      key_prefix: apiKeyPrefix(key),
      scopes: grants.scopes,
      allowed_ips: grants.allowed_ips,
      created_by: change.userId,
      created_at: iso(),
      expires_at: grants.expires_at,
      last_used_at: null,
      revoked_at: null,
      rotated_to: null,
      version: 1,
    };
    await store.apiKeys.insert(record, change.tx.session);
    return { key, record };
  }

  /** Stores a key's new state and makes every cache drop the old one before the caller gets an answer. */
  async function retire(
    key: ApiKeyRecord,
    state: Partial<ApiKeyRecord>,
    tx: Transaction,
  ): Promise<ApiKeyRecord> {
    const retired = { ...key, ...state, version: key.version + 1 };
    await store.apiKeys.retire(retired, tx.session);
    tx.invalidate({ [keyTag(key.key_hash)]: retired.version });
    return retired;
  }

  async function keyIn(change: WorkspaceChange, id: string): Promise<ApiKeyRecord> {
    const key = await store.apiKeys.byId(id, change.tx.session);
    if (!key) throw new ApiError('NOT_FOUND');
    return key;
  }

  return {
    async list(ctx: RequestContext, page: PageRequest) {
      const { items, next_cursor } = await store.apiKeys.page(ctx.access.workspaceId, page, cursors);
      return { data: items.map(apiKeyView), next_cursor };
    },

    /** Throws VALIDATION_ERROR for an expiry that is past, LIMIT_EXCEEDED. */
    create(ctx: RequestContext, input: ApiKeyCreate): Promise<NewApiKey> {
      const expires_at = input.expires_at ?? null;
      if (expires_at !== null && expires_at <= iso()) throw invalid('expiresAt', 'must be in the future');
      return changeWorkspace(
        ctx,
        async (change) => {
          const { tx, workspace } = change;
          if (
            (await store.apiKeys.countActive(workspace.id, iso(), tx.session)) >= config.apiKeysPerWorkspace
          ) {
            throw new ApiError('LIMIT_EXCEEDED', {
              message: `The workspace has ${config.apiKeysPerWorkspace} active API keys, as many as it may; revoke one.`,
            });
          }
          const { key, record } = await mint(change, {
            name: input.name,
            scopes: scopes.filter((scope) => input.scopes.includes(scope)),
            allowed_ips: [...new Set(input.allowed_ips)],
            expires_at,
          });
          const data = apiKeyView(record);
          tx.emit('api_key.created', {
            subject: subject(record),
            data,
            changes: changesBetween(null, data, ['key_prefix', ...GRANTS]),
          });
          return { ...data, key };
        },
        { redact: withoutKey },
      );
    },

    /** Replaces a usable key by one with the same grants. Throws CONFLICT for one that is not usable, or replaced. */
    async rotate(
      ctx: RequestContext,
      id: string,
      input: { workspace_id?: string | undefined; overlap_seconds: number },
    ): Promise<NewApiKey> {
      await authorizeRecord(ctx, await store.apiKeys.byId(id), input.workspace_id);
      return changeWorkspace(
        ctx,
        async (change) => {
          const old = await keyIn(change, id);
          checkUsable(old, iso());
          const { key, record } = await mint(change, old);
          const overlapEnd = iso(now() + input.overlap_seconds * 1_000);
          const ending =
            input.overlap_seconds === 0
              ? { revoked_at: iso() }
              : {
                  expires_at:
                    old.expires_at !== null && old.expires_at < overlapEnd ? old.expires_at : overlapEnd,
                };
          const replaced = await retire(old, { ...ending, rotated_to: record.id }, change.tx);
          const data = apiKeyView(record);
          change.tx.emit('api_key.rotated', {
            subject: subject(replaced),
            data: { replaced: apiKeyView(replaced), api_key: data },
            changes: changesBetween(old, replaced, ['expires_at', 'revoked_at', 'rotated_to']),
          });
          return { ...data, key };
        },
        { redact: withoutKey },
      );
    },

    /** Revokes; a key that is revoked already stays as it is, so that a repeated call is safe. */
    async revoke(ctx: RequestContext, id: string, named: string | undefined): Promise<void> {
      await authorizeRecord(ctx, await store.apiKeys.byId(id), named);
      return changeWorkspace(ctx, async (change) => {
        const key = await keyIn(change, id);
        if (key.revoked_at !== null) return;
        const revoked = await retire(key, { revoked_at: iso() }, change.tx);
        change.tx.emit('api_key.revoked', {
          subject: subject(revoked),
          data: apiKeyView(revoked),
          changes: changesBetween(key, revoked, ['revoked_at']),
        });
      });
    },
  };
}

function checkUsable(key: ApiKeyRecord, now: string): void {
  const conflict = (state: string) =>
    new ApiError('CONFLICT', { message: `This key ${state}; create a new one, or rotate the one in use.` });
  if (key.rotated_to !== null) throw conflict(`was replaced by ${key.rotated_to}`);
  if (key.revoked_at !== null) throw conflict('is revoked');
  if (key.expires_at !== null && key.expires_at <= now) throw conflict('has expired');
}
