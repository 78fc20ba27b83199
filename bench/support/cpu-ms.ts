import type { MongoClient } from 'mongodb';
import type { ServiceProcess } from '../../dev/services.ts';

/**
 * The processor time that services and MongoDB have taken so far, in ms by name, replicas together: unlike a duration it says the same on a busy
 * machine, and what runs step by step takes about as long on a quiet one.
 */
export async function cpuMs(
  processes: readonly ServiceProcess[],
  mongo: MongoClient,
): Promise<Record<string, number>> {
  const ofServices = processes.map(async ({ service, adminUrl }) => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    return [service, Number(/^process_cpu_seconds_total\S* (\S+)$/m.exec(text)?.[1]) * 1_000] as const;
  });
  const { extra_info } = await mongo.db('admin').command({ serverStatus: 1 });
  const ofMongo = (Number(extra_info.user_time_us) + Number(extra_info.system_time_us)) / 1_000;
  const sums: Record<string, number> = { MongoDB: ofMongo };
  for (const [service, ms] of await Promise.all(ofServices)) sums[service] = (sums[service] ?? 0) + ms;
  return sums;
}
