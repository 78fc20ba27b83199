import { type ServiceName, services } from '@waymark/contracts';
import { CommandError } from '../failures/command-error.ts';
import { measured } from '../size/measured.ts';
import { type Size, sizeOf } from '../size/size.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface SizeOptions {
  rps: number;
  decisions: number;
  endpoints: number;
  /** Percent. */
  writes: number;
  single?: true;
}

const PERCENT = 100;

/** Prints a values file of the chart. Throws CommandError if one process does not suffice for --single. */
export function printSize(options: SizeOptions, terminal: Terminal): void {
  if (options.writes > PERCENT) throw new CommandError('--writes is at most 100: of 100 requests');
  const size = sizeOf({ ...options, writes: options.writes / PERCENT }, measured);
  const { rps, decisions, endpoints, writes, single } = options;
  const given = `--rps ${rps} --decisions ${decisions} --endpoints ${endpoints} --writes ${writes}`;
  const { mongodb, redis, nats } = size.stores;
  const head = [
    `# waymark size ${given}${single ? ' --single' : ''}`,
    `# From processor time measured on ${measured.date} (${measured.command}): ${measured.machine}. Compare with your own metrics.`,
    `# MongoDB needs ${mongodb.millicores}m of CPU and ${mongodb.gibibytes} GiB of disk on each member, Redis ${redis.millicores}m, and NATS ${nats.millicores}m and 9 GiB.`,
  ];
  const doctor = 'doctor: { schedule: "*/15 * * * *" }';
  const values = single ? valuesOfOne(size) : valuesOfEach(size);
  for (const line of [...head, doctor, ...values]) terminal.out(line);
}

function valuesOfOne({ single, searchMebibytes }: Size): string[] {
  if (!single) throw new CommandError('this load needs a process for each service: leave out --single');
  return [
    'mode: single',
    'single:',
    `  resources: { requests: { cpu: ${single.millicores}m } }`,
    'services:',
    `  search: { indexMebibytes: ${searchMebibytes.disk} }`,
  ];
}

function valuesOfEach({ replicas, millicores, mebibytes, searchMebibytes }: Size): string[] {
  const { request, limit, disk } = searchMebibytes;
  return [
    // An upgrade would keep the mode of a smaller size.
    'mode: services',
    'services:',
    ...(Object.keys(services) as ServiceName[]).flatMap((name) => [
      `  ${name}:`,
      `    replicas: ${replicas[name]}`,
      ...(name === 'search' ? [`    indexMebibytes: ${disk}`] : []),
      name === 'search'
        ? `    resources: { requests: { cpu: ${millicores[name]}m, memory: ${request}Mi }, limits: { memory: ${limit}Mi } }`
        : `    resources: { requests: { cpu: ${millicores[name]}m, memory: ${mebibytes[name]}Mi } }`,
    ]),
  ];
}
