import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request of a collection route as the gateway hands it over, its body gzip. */
export function collectionEvent(
  bytes: Uint8Array,
  path = '/collect/v1/batch',
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyEvent {
  return {
    httpMethod: 'POST',
    path,
    resource: path,
    pathParameters: null,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    stageVariables: null,
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', ...headers },
    multiValueHeaders: {},
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
    // The handler reads nothing else of it.
    requestContext: { requestId: 'bench' } as APIGatewayProxyEvent['requestContext'],
  };
}
