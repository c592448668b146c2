import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request of the native route as the gateway hands it over, its body gzip. */
export function collectionEvent(bytes: Uint8Array): APIGatewayProxyEvent {
  return {
    httpMethod: 'POST',
    path: '/collect/v1/batch',
    resource: '/collect/v1/batch',
    pathParameters: null,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    stageVariables: null,
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    multiValueHeaders: {},
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
    // The handler reads nothing else of it.
    requestContext: { requestId: 'bench' } as APIGatewayProxyEvent['requestContext'],
  };
}
