import http from 'node:http';
import Provider from 'oidc-provider';

/** The claims of the people who can sign in at the provider, by login. */
export type Claims = { email?: string; email_verified?: boolean | string; name?: string; amr?: string[] };

/** A real OpenID Connect provider on this machine, with a browser that signs in. */
export interface LocalProvider {
  issuer: string;
  people: Map<string, Claims>;
  /** Spoils the signatures of ID tokens while it is true. */
  forges: boolean;
  /** Opens an address of the provider, signs in and consents; returns where the provider redirects to. */
  signIn(address: string, login: string): Promise<URL>;
  stop(): Promise<void>;
}

export const CLIENT_ID = 'waymark';
export const CLIENT_SECRET = 'a-client-secret-for-tests-0123456789';

const STEPS_MAX = 12;

export async function startProvider(callbackUrl: string): Promise<LocalProvider> {
  const server = http.createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const people = new Map<string, Claims>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [callbackUrl],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key for tests'] },
    findAccount: async (_, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people.get(id) }) as { sub: string },
    }),
  });
  const finish = provider.interactionFinished.bind(provider);
  provider.interactionFinished = (request, response, { login, ...result }, options) => {
    const amr = login && people.get(login.accountId)?.amr;
    return finish(
      request,
      response,
      { ...result, ...(login && { login: { ...login, ...(amr && { amr }) } }) },
      options,
    );
  };
  provider.use(async (ctx, next) => {
    await next();
    const body = ctx.body as { id_token?: string } | undefined;
    if (local.forges && body?.id_token)
      body.id_token = body.id_token.replace(/\.(.)(?=[^.]+$)/, (_, first) => (first === 'A' ? '.B' : '.A'));
  });
  server.on('request', provider.callback());

  const local: LocalProvider = {
    forges: false,
    issuer,
    people,
    async signIn(address, login) {
      const jar = new Map<string, string>();
      let url = address;
      let form: Record<string, string> | undefined;
      for (let step = 0; step < STEPS_MAX; step += 1) {
        const response: Response = await fetch(url, {
          redirect: 'manual',
          headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
          ...(form && { method: 'POST', body: new URLSearchParams(form) }),
        });
        form = undefined;
        for (const line of response.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
          if (value) jar.set(name!, value);
          else jar.delete(name!);
        }
        const location = response.headers.get('location');
        if (location) {
          url = new URL(location, url).href;
          if (url.startsWith(callbackUrl)) return new URL(url);
          continue;
        }
        const page = await response.text();
        const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
        if (!action) throw new Error(`the provider answered ${response.status}: ${page}`);
        url = new URL(action, url).href;
        form = page.includes('value="login"')
          ? { prompt: 'login', login, password: 'any' }
          : { prompt: 'consent' };
      }
      throw new Error('the provider redirects without end');
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return local;
}
