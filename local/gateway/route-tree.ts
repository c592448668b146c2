import * as v from 'valibot';
import { Fault } from '../../shared/contract/problems.ts';
import { functionNamed, type Wiring, wired } from '../template/wiring.ts';

type Endpoint = {
  readonly method: string;
  /** As API Gateway writes it: `/v1/things/{thing_id}`. */
  readonly resource: string;
  readonly functionId: string;
};

export type ResourceMatch = { readonly endpoint: Endpoint; readonly params: Readonly<Record<string, string>> };

/** Finds the endpoint of a request, or null. */
export type Router = (method: string, path: string) => ResourceMatch | null;

const ResourceProperties = v.object({ ParentId: v.string(), PathPart: v.string() });

const MethodProperties = v.object({
  HttpMethod: v.string(),
  ResourceId: v.string(),
  Integration: v.object({ Type: v.literal('AWS_PROXY'), Uri: v.string() }),
});

/** The endpoints of the template's REST API. */
export function endpointsOf(wiring: Wiring): Endpoint[] {
  const resources = new Map(
    wired(wiring, 'AWS::ApiGateway::Resource', ResourceProperties).map(({ ref, properties }) => [ref, properties]),
  );
  const pathOf = (ref: string): string => {
    const resource = resources.get(ref);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
  };
  return wired(wiring, 'AWS::ApiGateway::Method', MethodProperties).map(({ id, properties }) => {
    const { Uri } = properties.Integration;
    if (!Uri.includes(':function:'))
      throw new Fault('method_without_function', `The method ${id} integrates with something that is no function.`);
    const functionId = functionNamed(Uri);
    return { method: properties.HttpMethod, resource: pathOf(properties.ResourceId) || '/', functionId };
  });
}

type Branch = {
  readonly literals: Map<string, Branch>;
  parameter: { readonly name: string; readonly branch: Branch } | null;
  /** The endpoints of a greedy `{name+}` below this branch. */
  rest: { readonly name: string; readonly endpoints: Endpoint[] } | null;
  readonly endpoints: Endpoint[];
};

/** Prefers a literal part to a parameter, and a parameter to the greedy rest, as API Gateway does. */
export function routerOf(endpoints: readonly Endpoint[]): Router {
  const root = newBranch();
  for (const endpoint of endpoints) plant(root, endpoint);
  return (method, path) => {
    const parts = path.split('/').slice(1);
    return find(root, parts[0] === '' && parts.length === 1 ? [] : parts, method, {});
  };
}

const newBranch = (): Branch => ({ literals: new Map(), parameter: null, rest: null, endpoints: [] });

function plant(root: Branch, endpoint: Endpoint): void {
  let branch = root;
  for (const part of endpoint.resource.split('/').slice(1).filter(Boolean)) {
    const greedy = /^\{(.+)\+\}$/.exec(part)?.[1];
    if (greedy) {
      branch.rest ??= { name: greedy, endpoints: [] };
      branch.rest.endpoints.push(endpoint);
      return;
    }
    branch = childOf(branch, part);
  }
  branch.endpoints.push(endpoint);
}

function childOf(branch: Branch, part: string): Branch {
  const name = /^\{(.+)\}$/.exec(part)?.[1];
  if (name) {
    branch.parameter ??= { name, branch: newBranch() };
    return branch.parameter.branch;
  }
  const child = branch.literals.get(part) ?? newBranch();
  branch.literals.set(part, child);
  return child;
}

function find(
  branch: Branch,
  parts: readonly string[],
  method: string,
  params: Record<string, string>,
): ResourceMatch | null {
  const [part, ...rest] = parts;
  if (part === undefined) return matched(branch.endpoints, method, params);
  const literal = branch.literals.get(part);
  const byLiteral = literal && find(literal, rest, method, params);
  if (byLiteral) return byLiteral;
  if (branch.parameter && part !== '') {
    const { name, branch: next } = branch.parameter;
    const byParameter = find(next, rest, method, { ...params, [name]: decodeURIComponent(part) });
    if (byParameter) return byParameter;
  }
  if (!branch.rest) return null;
  return matched(branch.rest.endpoints, method, { ...params, [branch.rest.name]: decodeURIComponent(parts.join('/')) });
}

function matched(endpoints: readonly Endpoint[], method: string, params: Record<string, string>): ResourceMatch | null {
  const endpoint = endpoints.find((one) => one.method === method) ?? endpoints.find((one) => one.method === 'ANY');
  return endpoint ? { endpoint, params } : null;
}
