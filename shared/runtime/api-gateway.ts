import type { APIGatewayProxyEvent, APIGatewayProxyResult, LambdaFunctionURLEvent } from 'aws-lambda';
import { gathered } from '../domain/base/body.ts';

/** A request as the gateway hands it over. Header names are in lower case; a query parameter given twice is a list. */
export type HttpRequest = {
  readonly method: string;
  /** The path as the route table writes it: `/v1/things/{thing_id}`, without a final slash. */
  readonly resource: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
  /** What the gateway calls this request, in its own log and in the answers that it makes itself. */
  readonly gatewayId: string;
  /** The address of the service, without a final slash. */
  readonly base: string;
};

export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
};

/** A request from the REST API, or from the function's own URL. */
export type HttpEvent = APIGatewayProxyEvent | LambdaFunctionURLEvent;

export const readHttpEvent = (event: HttpEvent): HttpRequest =>
  'rawPath' in event ? readUrlEvent(event) : readGatewayEvent(event);

/** A function URL has no routes, so the path takes the place of the resource: routes behind one have no parameters. */
function readUrlEvent({ rawPath, rawQueryString, headers, requestContext, ...event }: LambdaFunctionURLEvent) {
  const { http, domainName, requestId } = requestContext;
  const parameters = Map.groupBy(new URLSearchParams(rawQueryString), ([name]) => name);
  return {
    method: http.method.toUpperCase(),
    resource: (decoded(rawPath) ?? rawPath).replace(/(?<=.)\/$/, ''),
    path: rawPath,
    params: {},
    query: queryOf(Array.from(parameters, ([name, pairs]) => [name, pairs.map(([, value]) => value)])),
    headers,
    bytes: bytesOf(event),
    gatewayId: requestId,
    base: `${protocolOf(headers['x-forwarded-proto'])}://${domainName}`,
  };
}

function readGatewayEvent(event: APIGatewayProxyEvent): HttpRequest {
  const headers = headersOf(event);
  return {
    method: event.httpMethod.toUpperCase(),
    resource: event.resource.length > 1 ? event.resource.replace(/\/$/, '') : event.resource,
    path: event.path,
    params: event.pathParameters ?? {},
    query: queryOf(Object.entries(event.multiValueQueryStringParameters ?? {})),
    headers,
    bytes: bytesOf(event),
    gatewayId: event.requestContext.requestId,
    base: baseOf(event, headers['x-forwarded-proto']),
  };
}

/** The gateway's own facts decide, because a caller may send any host. */
function baseOf({ path, requestContext }: APIGatewayProxyEvent, protocol: string | undefined): string {
  const { domainName = 'localhost', path: whole = path } = requestContext;
  const prefix = whole.endsWith(path) ? whole.slice(0, -path.length) : '';
  return `${protocolOf(protocol)}://${domainName}${prefix}`;
}

const protocolOf = (forwarded: string | undefined): string => (forwarded === 'https' ? 'https' : 'http');

type SentBody = { readonly body?: string | null | undefined; readonly isBase64Encoded: boolean };

const bytesOf = ({ body, isBase64Encoded }: SentBody): Buffer =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

function queryOf(lists: readonly (readonly [string, readonly string[] | undefined])[]): HttpRequest['query'] {
  const query: Record<string, string | readonly string[]> = {};
  for (const [name, values] of lists)
    if (values?.[0] !== undefined) query[name] = values.length === 1 ? values[0] : values;
  return query;
}

function headersOf({ headers, multiValueHeaders }: APIGatewayProxyEvent): HttpRequest['headers'] {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) read[name.toLowerCase()] = value;
  // A header sent twice is one list, as HTTP reads it.
  for (const [name, values] of Object.entries(multiValueHeaders ?? {}))
    if (values !== undefined && values.length > 1) read[name.toLowerCase()] = values.join(', ');
  return read;
}

/** The proxy result of a reply; a stream is gathered first. */
export async function proxyResult({ status, headers, body }: HttpResponse): Promise<APIGatewayProxyResult> {
  const whole = typeof body === 'string' ? body : await wholeBody(body);
  const isText = typeof whole === 'string';
  return {
    statusCode: status,
    headers: { ...headers },
    body: isText ? whole : whole.toString('base64'),
    isBase64Encoded: !isText,
  };
}

/** A view of the same bytes, if they are there. */
async function wholeBody(body: Uint8Array | AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const bytes = body instanceof Uint8Array ? body : await gathered(body);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The text of a path; null if its percent-encoding is malformed, so that it names nothing (C-ERROR-17). */
export function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
