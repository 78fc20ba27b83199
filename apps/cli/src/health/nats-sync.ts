import { ask } from './ask.ts';

const MONITORING_PORT = 8222;
const LIMIT_MS = 2_000;

/** The fields of /jsz that are read. */
interface Jsz {
  config?: { sync_always?: boolean };
  meta_cluster?: object;
}

/**
 * Returns the servers in NATS_URL that are alone and acknowledge events before they sync. NATS says so on its
 * port for monitoring only; without an answer from there, nothing is known.
 */
export async function observeNatsSync(natsUrl: string, port = MONITORING_PORT): Promise<string[]> {
  const hosts = natsUrl.split(',').flatMap((text) => URL.parse(text.trim())?.hostname || []);
  const found = hosts.map(async (host) => ((await syncsLate(`http://${host}:${port}/jsz`)) ? [host] : []));
  return (await Promise.all(found)).flat();
}

async function syncsLate(url: string): Promise<boolean> {
  const answer = await ask(url, { limitMs: LIMIT_MS });
  if (answer?.status !== 200) return false;
  try {
    const { config, meta_cluster } = JSON.parse(answer.text) as Jsz;
    return config !== undefined && !config.sync_always && meta_cluster === undefined;
  } catch {
    return false;
  }
}
