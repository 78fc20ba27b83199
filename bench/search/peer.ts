import http from 'node:http';
import { type Handlers, identityTokens, serveOperations } from '@waymark/service-kit/http';
import {
  baseEnvironment,
  createLogger,
  createMetrics,
  listen,
  readEnvironment,
} from '@waymark/service-kit/process';
import { fold } from '../../services/search/src/text/fold.ts';
import { highlightsIn } from '../../services/search/src/text/highlight.ts';
import { connectPostgres, quoted } from '../support/postgres.ts';

/** Serves GET /search like the product, with PostgreSQL instead of its projection and indexes. */
const connection = await connectPostgres(String(process.env['POSTGRES_SOCKET']));
await connection.query(`
  PREPARE search (uuid, text, int) AS SELECT id, title, status, description FROM items
  WHERE workspace_id = $1 AND folded LIKE $2 ORDER BY position DESC LIMIT $3`);
const config = readEnvironment(baseEnvironment('search'), process.env);
const none = { nodes: null, decisions: null, workflows: null };

const app = serveOperations({
  service: 'search',
  handlers: {
    async search({ ctx, query: { q, limit } }) {
      const folded = fold(q);
      const pattern = `%${folded.replace(/[\\%_]/g, '\\$&')}%`;
      const given = [ctx.access.workspaceId, pattern, String(limit + 1)].map(quoted);
      const rows = await connection.query(`EXECUTE search (${given.join()})`);
      const decisions = rows.slice(0, limit).map(([id, title, status, description]) => ({
        id: id!,
        title: title!,
        status: status as 'proposed',
        highlights: [
          { path: 'title', text: title! },
          { path: 'description', text: description! },
        ].flatMap(({ path, text }) =>
          highlightsIn(text, folded, 10).map((mark) => ({ field: path, message_id: null, ...mark })),
        ),
      }));
      return { nodes: [], decisions, workflows: [], next_cursors: none };
    },
    purgeSearch: () => ({ is_done: true }),
    findTitles: () => ({ titles: {} }),
  } satisfies Partial<Handlers<'search'>>,
  identity: identityTokens({
    service: 'search',
    privateKeys: config.identityPrivateKeys,
    publicKeys: config.identityPublicKeys,
  }),
  resolveMembership: async () => null,
  refreshCaller: async (principal) => principal,
  metrics: createMetrics('search'),
  log: createLogger('search', 'error'),
});
await listen(http.createServer(app), '127.0.0.1', Number(process.env['PORT']));
