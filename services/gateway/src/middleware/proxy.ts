import {
  delegatedIdentityHeader,
  internalHeaders,
  type Operation,
  type ServiceName,
} from '@waymark/contracts';
import type { IdentityTokens } from '@waymark/service-kit/http';
import type { OwnOperations } from '../own-operations.ts';
import type { ServiceProxy } from '../proxy/service-proxy.ts';
import type { ClientPrincipal, Middleware } from '../request-state.ts';

/** Serves the operations that the gateway has itself. */
export function serveOwnOperations(own: OwnOperations): Middleware {
  return async (_, response, next) => {
    const handler = own[response.locals.operation!.id as keyof OwnOperations];
    if (handler) await handler(response);
    else next();
  };
}

/** Forwards a request to the service of its operation, with the signed identity of the caller. */
export function proxy(
  identity: Pick<IdentityTokens, 'sign'>,
  services: Partial<Record<ServiceName, ServiceProxy>>,
): Middleware {
  return async (_, response) => {
    const { operation, principal } = response.locals;
    const service = services[operation!.service];
    if (!service) throw new Error(`${operation!.id} has no service`);
    await service.forward(response, await identityHeaders(identity, principal!, operation!));
  };
}

/** The caller's identity for the service, and for other services that it calls in the caller's name. */
async function identityHeaders(
  identity: Pick<IdentityTokens, 'sign'>,
  caller: ClientPrincipal,
  { service, delegates = [] }: Operation,
): Promise<Record<string, string>> {
  const signed: Record<string, string> = { [internalHeaders.identity]: await identity.sign(caller, service) };
  for (const other of delegates) signed[delegatedIdentityHeader(other)] = await identity.sign(caller, other);
  return signed;
}
