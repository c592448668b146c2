import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { type CollectionHttpPorts, collectionFunction } from '../../shared/runtime/collection-http.ts';

export type Sent = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
};

const routes = ['/collect', '/collect/v1/batch', '/collect/batch', '/collect/e', '/collect/i/v0/e'];

/** Calls the Lambda handler with the event that API Gateway makes of a request. */
export async function callCollection(ports: CollectionHttpPorts, path: string, sent: Sent) {
  const { method = 'POST', headers = {}, body = {}, query = {} } = sent;
  const known = routes.find((one) => path.replace(/\/$/, '') === one);
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const event = {
    httpMethod: method,
    path,
    resource: known ?? '/collect/{proxy+}',
    pathParameters: known ? null : { proxy: path.replace('/collect/', '') },
    multiValueQueryStringParameters: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
    headers: { 'Content-Type': 'application/json', ...headers },
    multiValueHeaders: {},
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
    requestContext: { requestId: 'gateway' },
  };
  const answer = await collectionFunction(ports)(event as unknown as APIGatewayProxyEvent, {} as Context);
  return {
    status: answer.statusCode,
    headers: answer.headers ?? {},
    json: answer.body ? JSON.parse(answer.body) : null,
  };
}
