import type { ServiceName } from '@waymark/contracts';
import { startGateway } from '@waymark/gateway';
import type { Seams } from '@waymark/service-kit/runtime';
import { type EnvOf, type Stack, type Start, startStack } from '@waymark/testing';
import { starts } from '../../apps/cli/src/commands/all.ts';

/** The whole product in this process, on real stores. `own` starts the services that a test changes. */
export function startProduct(
  env: EnvOf = {},
  seams: Seams = {},
  own: Partial<Record<ServiceName, Start>> = {},
): Promise<Stack> {
  const services = { ...starts, gateway: startGateway, ...own };
  return startStack(services, { env, seams });
}
