import type { MongoClient } from 'mongodb';
import type { ServiceProcess } from '../../dev/services.ts';

/**
 * Returns the processor time of services and MongoDB so far, in ms by name, summed over replicas. Unlike a
 * duration, it does not depend on other load.
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
