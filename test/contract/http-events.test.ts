import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { readHttpEvent } from '../../shared/runtime/api-gateway.ts';

const event = (over: object): LambdaFunctionURLEvent =>
  ({
    version: '2.0',
    rawPath: '/collect/v1/batch/',
    rawQueryString: '',
    headers: { 'x-forwarded-proto': 'https' },
    requestContext: { domainName: 'id.lambda-url.eu-west-1.on.aws', requestId: 'invocation', http: { method: 'post' } },
    isBase64Encoded: false,
    ...over,
  }) as unknown as LambdaFunctionURLEvent;

it('reads a request at a function URL as the gateway’s: the path without its final slash is the resource', () => {
  expect(readHttpEvent(event({}))).toEqual({
    method: 'POST',
    resource: '/collect/v1/batch',
    path: '/collect/v1/batch/',
    params: {},
    query: {},
    headers: { 'x-forwarded-proto': 'https' },
    bytes: Buffer.alloc(0),
    gatewayId: 'invocation',
    base: 'https://id.lambda-url.eu-west-1.on.aws',
  });
  expect(readHttpEvent(event({ rawPath: '/' })).resource).toBe('/');
});

it('keeps parameters apart that Lambda joins by commas, and decodes them once', () => {
  const rawQueryString = 'workspace_id=a%2Cb&tag=1&tag=2,3&empty=';
  const { query } = readHttpEvent(event({ rawQueryString, queryStringParameters: { tag: '1,2,3' } }));
  expect(query).toEqual({ workspace_id: 'a,b', tag: ['1', '2,3'], empty: '' });
});

it('reads text as UTF-8 and anything else as base64', () => {
  expect(readHttpEvent(event({ body: '{"ü":1}' })).bytes.toString()).toBe('{"ü":1}');
  const bytes = Buffer.from([0x1f, 0x8b, 0xff]);
  expect(readHttpEvent(event({ body: bytes.toString('base64'), isBase64Encoded: true })).bytes).toEqual(bytes);
});

it('leaves a path that cannot be decoded to the function, which has its own checks first', () => {
  expect(readHttpEvent(event({ rawPath: '/collect/%zz' })).resource).toBe('/collect/%zz');
});
