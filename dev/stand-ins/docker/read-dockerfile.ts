export interface Stage {
  name: string;
  from: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  cmd: string[];
  healthcheck: string[];
  steps: {
    run?: string;
    workdir?: string;
    copy?: { from: string | undefined; sources: string[]; target: string };
  }[];
}

/** Parses the stages of our Dockerfile. Throws for an unsupported instruction. */
export function readStages(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [, from = '', name = ''] = /^(\S+) AS (\S+)$/.exec(rest) ?? [];
      const workdir = stages.find((stage) => stage.name === from)?.workdir ?? '/';
      stages.push({ name, from, workdir, env: {}, user: '', cmd: [], healthcheck: [], steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) continue;
    const read = instructions[instruction];
    if (read === undefined) throw new Error(`an instruction that is not known here: ${line}`);
    read(stage, rest);
  }
  return stages;
}

const ignore = () => undefined;
const instructions: Record<string, (stage: Stage, rest: string) => void> = {
  ARG: ignore,
  ENV: (stage, pairs) =>
    Object.assign(stage.env, Object.fromEntries(pairs.split(/\s+/).map((pair) => pair.split('=', 2)))),
  LABEL: ignore,
  EXPOSE: ignore,
  STOPSIGNAL: ignore,
  RUN: (stage, run) => stage.steps.push({ run }),
  WORKDIR: (stage, workdir) => {
    stage.workdir = workdir;
    stage.steps.push({ workdir });
  },
  COPY: (stage, rest) => {
    const words = rest.split(/\s+/);
    const from = /^--from=(.*)/.exec(words[0]!)?.[1];
    const sources = words.slice(from === undefined ? 0 : 1, -1);
    stage.steps.push({ copy: { from, sources, target: words.at(-1)! } });
  },
  USER: (stage, user) => {
    stage.user = user;
  },
  CMD: (stage, json) => {
    stage.cmd = JSON.parse(json);
  },
  HEALTHCHECK: (stage, rest) => {
    stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD') + 'CMD'.length));
  },
};
