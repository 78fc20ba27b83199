export interface Step {
  run?: string;
  workdir?: string;
  copy?: { from: string | undefined; sources: string[]; target: string };
}
export interface Stage {
  name: string;
  from: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  cmd: string[];
  healthcheck: string[];
  steps: Step[];
}
export function readStages(text: string): Stage[];
