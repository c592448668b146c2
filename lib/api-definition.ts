import { limits } from '../shared/contract/limits.ts';
import { Fault, noEndpoint, type ProblemCode, problems } from '../shared/contract/problems.ts';
import type { HttpFunction, Route } from '../shared/contract/route.ts';
import { uploadRoutes } from '../shared/contract/uploads.ts';
import { pageFunction } from './function-specs.ts';

type Json = { readonly [key: string]: unknown };

export type Target = HttpFunction | typeof pageFunction;

/** Under these, each path reaches its function, which then refuses an unknown one in its own way. */
const catchAlls: readonly (readonly [string, Target])[] = [
  ['/', pageFunction],
  ['/{proxy+}', pageFunction],
  ['/collect', 'collect'],
  ['/collect/{proxy+}', 'collect'],
];

type UriOf = (target: Target, isStreamed: boolean) => string;

/**
 * The document that API Gateway imports: OpenAPI 3.0, the newest that it reads. It has each path once, for all methods: the
 * function of a path refuses the other methods, and the service publishes its own descriptions. Gateway responses are in
 * it because an import deletes those that are not.
 */
export function apiDefinition(title: string, routes: Readonly<Record<string, Route>>, uriOf: UriOf): Json {
  const paths = [...placesOf(Object.values(routes))].map(([path, { target, stream }]) => {
    const integration = {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: uriOf(target, stream),
      ...(stream && { responseTransferMode: 'STREAM', timeoutInMillis: 300_000 }),
    };
    const any = { responses: {}, 'x-amazon-apigateway-integration': integration };
    return [path, { 'x-amazon-apigateway-any-method': any }] as const;
  });
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    paths: Object.fromEntries(paths),
    // Bodies arrive byte for byte: digests and gzip depend on it.
    'x-amazon-apigateway-binary-media-types': ['*/*'],
    'x-amazon-apigateway-gateway-responses': gatewayResponses(),
  };
}

type Place = { readonly target: Target; readonly stream: boolean };

/** Each path of the table, aliases included, and the catch-alls. */
function placesOf(routes: readonly Route[]): ReadonlyMap<string, Place> {
  const places = new Map(catchAlls.map(([path, target]): [string, Place] => [path, { target, stream: false }]));
  for (const { path, aliases = [], function: target, stream = false } of routes)
    for (const one of [path, ...aliases]) {
      const other = places.get(one)?.target ?? target;
      if (other !== target)
        throw new Fault('route_with_two_functions', `${one} belongs to two functions: ${other} and ${target}.`);
      places.set(one, { target, stream });
    }
  return places;
}

const mapValues = <V>(value: Readonly<Record<string, V>>, map: (one: V) => Json): Record<string, Json> =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]));

type Answer = {
  readonly code: ProblemCode;
  readonly status?: number;
  readonly message?: string;
  readonly hint?: string;
};

const answers: Readonly<Record<string, Answer>> = {
  MISSING_AUTHENTICATION_TOKEN: { code: 'not_found', status: 404, message: noEndpoint },
  RESOURCE_NOT_FOUND: { code: 'not_found', message: noEndpoint },
  ACCESS_DENIED: { code: 'insufficient_workspace_role', status: 403 },
  WAF_FILTERED: { code: 'insufficient_workspace_role', status: 403 },
  UNAUTHORIZED: { code: 'unauthorized', status: 401 },
  REQUEST_TOO_LARGE: {
    code: 'body_too_large',
    hint: `Send lineage bodies over ${limits.inlineBytes} bytes through POST ${uploadRoutes.createUpload.path}.`,
  },
  UNSUPPORTED_MEDIA_TYPE: { code: 'unsupported_media_type' },
  THROTTLED: { code: 'rate_limited', status: 429 },
  QUOTA_EXCEEDED: { code: 'rate_limited', status: 429 },
  // The gateway answers 500 or 504 if Lambda throttles a function, by one of these: a caller may retry it.
  API_CONFIGURATION_ERROR: { code: 'unavailable', status: 503 },
  INTEGRATION_FAILURE: { code: 'unavailable', status: 503 },
  INTEGRATION_TIMEOUT: { code: 'unavailable' },
  BAD_REQUEST_BODY: { code: 'validation_error' },
  // No request is validated by its parameters here: what remains is a path that cannot be decoded.
  BAD_REQUEST_PARAMETERS: { code: 'not_found', status: 404, message: noEndpoint },
  DEFAULT_4XX: { code: 'validation_error' },
  DEFAULT_5XX: { code: 'internal_error' },
};

/** The gateway's own responses in the one error envelope: C-ERROR-1. */
const gatewayResponses = (): Json =>
  mapValues(answers, ({ code, status, message = problems[code].message, hint }) => {
    const headers: Readonly<Record<string, string>> = {
      'X-Request-ID': 'context.requestId',
      'Cache-Control': "'no-store'",
      // Without it, a page sees a network error in place of the response. The responses contain no user data.
      'Access-Control-Allow-Origin': "'*'",
      'Access-Control-Expose-Headers': "'Retry-After, X-Request-ID'",
      // A gateway response cannot depend on the path, and every response on the collection routes carries this.
      'X-Service-Collection-Status': "'rejected'",
      ...((code === 'rate_limited' || code === 'unavailable') && { 'Retry-After': "'1'" }),
    };
    const detail = { code, message, request_id: '$context.requestId', ...(hint && { hint }) };
    return {
      ...(status && { statusCode: String(status) }),
      responseParameters: Object.fromEntries(
        Object.entries(headers).map(([name, source]) => [`gatewayresponse.header.${name}`, source]),
      ),
      responseTemplates: { 'application/json': JSON.stringify({ detail }) },
    };
  });
