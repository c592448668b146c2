import { Problem } from '../contract/problems.ts';
import type { Route } from '../contract/route.ts';
import type { HttpRequest } from './api-gateway.ts';
import type { RouteTable } from './implementation.ts';

export type Match = { readonly name: string; readonly route: Route };
export type Matcher = (request: Pick<HttpRequest, 'method' | 'resource'>) => Match;

/** Finds routes by method and path, aliases included: 404 for an unknown path, 405 for another method of a known one. */
export function routeMatcher(routes: RouteTable): Matcher {
  const byPath = new Map<string, Map<string, Match>>();
  for (const [name, route] of Object.entries(routes))
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const methods = byPath.get(path) ?? new Map<string, Match>();
      byPath.set(path, methods.set(route.method, { name, route }));
    }
  return ({ method, resource }) => {
    const methods = byPath.get(resource);
    if (methods === undefined) throw new Problem('not_found');
    const match = methods.get(method);
    if (match === undefined) throw new Problem('method_not_allowed');
    return match;
  };
}
