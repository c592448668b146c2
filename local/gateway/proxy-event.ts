import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { awsEnvironment } from '../emulators/environment.ts';
import type { ResourceMatch } from './route-tree.ts';

/** A request with its whole body. */
export type Received = {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly match: ResourceMatch;
  readonly body: Buffer;
  readonly requestId: string;
};

type ProxyRequest = Received & {
  readonly stage: string;
  /** Whether the body was inflated before this. */
  readonly inflates: boolean;
};

type Lists = Record<string, string[]>;

export function proxyEvent(proxied: ProxyRequest): APIGatewayProxyEvent {
  const { request, url, match, body, inflates } = proxied;
  const headers = headerLists(request.rawHeaders, inflates);
  const query = queryLists(url.searchParams);
  return {
    resource: match.endpoint.resource,
    path: url.pathname,
    httpMethod: request.method ?? 'GET',
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: query && lastOf(query),
    multiValueQueryStringParameters: query,
    pathParameters: Object.keys(match.params).length > 0 ? { ...match.params } : null,
    stageVariables: null,
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
    requestContext: requestContextOf(proxied),
  };
}

function requestContextOf({
  request,
  url,
  match,
  requestId,
  stage,
}: ProxyRequest): APIGatewayProxyEvent['requestContext'] {
  const now = new Date();
  return {
    accountId: awsEnvironment.account,
    apiId: 'local',
    authorizer: null,
    domainName: domainOf(request),
    domainPrefix: 'local',
    extendedRequestId: requestId,
    httpMethod: request.method ?? 'GET',
    identity: identityOf(request),
    // As behind a domain of the tenant's, whose address has no stage.
    path: url.pathname,
    protocol: `HTTP/${request.httpVersion}`,
    requestId,
    requestTime: now.toUTCString(),
    requestTimeEpoch: now.getTime(),
    resourceId: 'local',
    resourcePath: match.endpoint.resource,
    stage,
  };
}

/** The service's own address, or its name on this machine: a caller may put any other name into `Host`. */
export function domainOf({ headers: { host }, socket: { localAddress = '', localPort } }: IncomingMessage): string {
  const own = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return host === `localhost:${localPort}` ? host : `${own}:${localPort}`;
}

/** API Gateway sets the protocol itself. Without inflation gzip gets its other name, or functions would read JSON. */
function headerLists(raw: readonly string[], inflates: boolean): Lists {
  const lists: Lists = { 'X-Forwarded-Proto': ['http'] };
  for (let index = 0; index < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2);
    if (/^x-forwarded-proto$/i.test(name)) continue;
    const isGzip = /^content-encoding$/i.test(name) && /^gzip$/i.test(value);
    append(lists, name, isGzip && !inflates ? 'x-gzip' : value);
  }
  return lists;
}

function queryLists(parameters: URLSearchParams): Lists | null {
  const lists: Lists = {};
  for (const [name, value] of parameters) append(lists, name, value);
  return Object.keys(lists).length > 0 ? lists : null;
}

function append(lists: Lists, name: string, value: string): void {
  const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
  if (list) list.push(value);
  else Object.defineProperty(lists, name, { value: [value], enumerable: true, writable: true, configurable: true });
}

const lastOf = (lists: Lists): Record<string, string> =>
  Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values.at(-1) ?? '']));

const identityOf = (request: IncomingMessage): APIGatewayProxyEvent['requestContext']['identity'] => ({
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  sourceIp: request.socket.remoteAddress ?? '',
  user: null,
  userAgent: request.headers['user-agent'] ?? null,
  userArn: null,
});
