import { limits } from '../contract/limits.ts';
import { noEndpoint, Problem } from '../contract/problems.ts';
import type { Route } from '../contract/route.ts';
import { decoded, type HttpRequest } from './api-gateway.ts';

const wellFormed = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestId.maxLength}}$`);

/** The sender's own request id where it is well-formed, else that of the gateway: C-ERROR-4. */
export const requestIdOf = (sent: string | undefined, gatewayId: string): string =>
  sent !== undefined && wellFormed.test(sent) ? sent : gatewayId;

/** The ids of a request for log lines: also the gateway's id, if it differs. */
export const requestIds = (requestId: string, { gatewayId }: { readonly gatewayId: string }) => ({
  request_id: requestId,
  ...(gatewayId !== requestId && { gateway_request_id: gatewayId }),
});

export type RouteMatch<Name = string> = { readonly name: Name; readonly route: Route };
export type RouteMatcher<Name = string> = (
  request: Pick<HttpRequest, 'method' | 'resource' | 'path'>,
) => RouteMatch<Name>;

/** Finds routes by method and path, aliases included: 404 for an unknown path, 405 for another method of a known one. */
export function routeMatcher<Name extends string>(routes: Readonly<Record<Name, Route>>): RouteMatcher<Name> {
  const byPath = new Map<string, Map<string, RouteMatch<Name>>>();
  for (const [name, route] of Object.entries(routes) as [Name, Route][])
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const methods = byPath.get(path) ?? new Map<string, RouteMatch<Name>>();
      byPath.set(path, methods.set(route.method, { name, route }));
    }
  return ({ method, resource, path }) => {
    const methods = byPath.get(resource);
    if (methods === undefined) throw new Problem('not_found', { message: noEndpoint });
    // What answers GET answers HEAD, and its body is left out on the way.
    const match = methods.get(method === 'HEAD' ? 'GET' : method);
    if (match !== undefined) return match;
    if (decoded(path) === null) throw new Problem('not_found');
    throw new Problem('method_not_allowed', { allowedMethods: allowedMethods(methods) });
  };
}

const allowedMethods = (methods: ReadonlyMap<string, RouteMatch>): readonly string[] =>
  [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).sort();
