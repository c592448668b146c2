import * as v from 'valibot';
import { Fault } from '../../shared/contract/problems.ts';
import { decoded } from '../../shared/runtime/api-gateway.ts';
import { functionNamed, type Wiring, wired } from '../template/wiring.ts';

type Endpoint = {
  readonly method: string;
  /** As API Gateway writes it: `/v1/things/{thing_id}`. */
  readonly resource: string;
  readonly functionId: string;
};

export type ResourceMatch = { readonly endpoint: Endpoint; readonly params: Readonly<Record<string, string>> };

const GatewayResponse = v.object({
  statusCode: v.optional(v.string()),
  responseParameters: v.optional(v.record(v.string(), v.string()), {}),
  responseTemplates: v.object({ 'application/json': v.string() }),
});

export type Router = (method: string, path: string) => ResourceMatch | null;

const Operation = v.object({
  'x-amazon-apigateway-integration': v.object({ type: v.literal('aws_proxy'), uri: v.string() }),
});

export const ApiDocument = v.object({
  paths: v.record(v.string(), v.record(v.string(), Operation)),
  'x-amazon-apigateway-gateway-responses': v.optional(v.record(v.string(), GatewayResponse), {}),
});

export const StageProperties = v.object({
  StageName: v.string(),
  Variables: v.optional(v.record(v.string(), v.string()), {}),
});

export function endpointsOf(wiring: Wiring): Endpoint[] {
  const [stage] = wired(wiring, 'AWS::ApiGateway::Stage', StageProperties);
  const functionAt = (place: string, uri: string): string => {
    const variable = uri.split(':function:${stageVariables.')[1]?.split('}')[0] ?? '';
    const name = stage?.properties.Variables[variable];
    if (name === undefined)
      throw new Fault(
        'method_without_function',
        `${place} integrates with something that is no function of the stage.`,
      );
    return functionNamed(name);
  };
  return wired(wiring, 'AWS::ApiGateway::RestApi', v.object({ Body: ApiDocument })).flatMap(({ properties }) =>
    Object.entries(properties.Body.paths).flatMap(([resource, item]) =>
      Object.entries(item).map(
        ([
          method,
          {
            'x-amazon-apigateway-integration': { uri },
          },
        ]) => ({
          method: method === anyMethod ? 'ANY' : method.toUpperCase(),
          resource,
          functionId: functionAt(resource, uri),
        }),
      ),
    ),
  );
}

const anyMethod = 'x-amazon-apigateway-any-method';

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
    const byParameter = find(next, rest, method, { ...params, [name]: decoded(part) ?? part });
    if (byParameter) return byParameter;
  }
  if (!branch.rest) return null;
  const remaining = parts.join('/');
  return matched(branch.rest.endpoints, method, { ...params, [branch.rest.name]: decoded(remaining) ?? remaining });
}

function matched(endpoints: readonly Endpoint[], method: string, params: Record<string, string>): ResourceMatch | null {
  const endpoint = endpoints.find((one) => one.method === method) ?? endpoints.find((one) => one.method === 'ANY');
  return endpoint ? { endpoint, params } : null;
}
