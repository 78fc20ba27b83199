/**
 * Parses the stages of our Dockerfile: `{name, from, workdir, env, user, cmd, healthcheck, steps}`. A step is
 * `{run}`, `{copy: {from, sources, target}}` or `{workdir}`. Throws for an unsupported instruction.
 */
export function readStages(text) {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages = [];
  for (const line of lines) {
    const [, instruction, rest] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [, from, name] = /^(\S+) AS (\S+)$/.exec(rest);
      const base = stages.find((stage) => stage.name === from);
      stages.push({ name, from, workdir: base?.workdir ?? '/', env: {}, steps: [] });
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
const instructions = {
  ARG: ignore,
  ENV: (stage, pairs) => {
    for (const pair of pairs.split(/\s+/)) {
      const [name, value] = pair.split('=');
      stage.env[name] = value;
    }
  },
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
    const from = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : undefined;
    stage.steps.push({ copy: { from, sources: words.slice(0, -1), target: words.at(-1) } });
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
