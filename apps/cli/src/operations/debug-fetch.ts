import type { Terminal } from '../terminal/terminal.ts';

const SECRET = new Set(['authorization', 'x-api-key', 'cookie', 'set-cookie']);

/** Returns a fetch that prints each exchange without its bodies and credentials, which may be secret. */
export const debugFetch =
  ({ error: print }: Terminal) =>
  async (request: Request): Promise<Response> => {
    const begun = performance.now();
    print(`> ${request.method} ${request.url}`);
    printHeaders('>', request.headers);
    const response = await fetch(request);
    print(`< ${response.status} ${response.statusText} after ${Math.round(performance.now() - begun)} ms`);
    printHeaders('<', response.headers);
    return response;

    function printHeaders(sign: string, headers: Headers): void {
      for (const [name, value] of headers) print(`${sign} ${name}: ${SECRET.has(name) ? '***' : value}`);
    }
  };
