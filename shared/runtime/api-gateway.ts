import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
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

export function readHttpEvent(event: APIGatewayProxyEvent): HttpRequest {
  const headers = headersOf(event);
  return {
    method: event.httpMethod.toUpperCase(),
    resource: event.resource.length > 1 ? event.resource.replace(/\/$/, '') : event.resource,
    path: event.path,
    params: event.pathParameters ?? {},
    query: queryOf(event),
    headers,
    bytes: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
    gatewayId: event.requestContext.requestId,
    base: baseOf(event, headers['x-forwarded-proto']),
  };
}

/** The gateway's own facts decide, because a caller may send any host. */
function baseOf({ path, requestContext }: APIGatewayProxyEvent, protocol: string | undefined): string {
  const { domainName = 'localhost', path: whole = path } = requestContext;
  const prefix = whole.endsWith(path) ? whole.slice(0, -path.length) : '';
  return `${protocol === 'https' ? 'https' : 'http'}://${domainName}${prefix}`;
}

function queryOf({ multiValueQueryStringParameters: lists }: APIGatewayProxyEvent): HttpRequest['query'] {
  const query: Record<string, string | readonly string[]> = {};
  for (const [name, values] of Object.entries(lists ?? {}))
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
