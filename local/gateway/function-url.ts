import type { LambdaFunctionURLEvent } from 'aws-lambda';
import * as v from 'valibot';
import { mediaTypeOf } from '../../shared/domain/base/body.ts';
import { awsEnvironment } from '../emulators/environment.ts';
import type { LocalFunctions } from '../lambda/functions.ts';
import { functionNamed, type Wiring, wired } from '../template/wiring.ts';
import { awsLimits } from './aws-rules.ts';
import type { Gateway, GatewaySettings } from './gateway.ts';
import { domainOf, type Received } from './proxy-event.ts';

/** Strict: rules of Lambda that are missing here, such as its CORS, must stop the start. */
const UrlProperties = v.strictObject({
  AuthType: v.literal('NONE'),
  TargetFunctionArn: v.string(),
  Qualifier: v.optional(v.string()),
});

/** What answers at each function URL of the template, by the function's id. */
export function functionUrlsOf(
  wiring: Wiring,
  functions: LocalFunctions,
  settings: GatewaySettings,
): readonly (readonly [functionId: string, gateway: Gateway])[] {
  return wired(wiring, 'AWS::Lambda::Url', UrlProperties).map(({ properties }) => {
    const functionId = functionNamed(properties.TargetFunctionArn);
    const match = { endpoint: { method: 'ANY', resource: '$default', functionId }, params: {} };
    return [functionId, { route: () => match, functions, eventOf: urlEvent, answers, inflates: false, ...settings }];
  });
}

/** Payload format 2.0, as Lambda makes it: a repeated header or parameter is joined by commas. */
function urlEvent({ request, url, body, requestId }: Received): LambdaFunctionURLEvent {
  const { method = 'GET', headersDistinct, headers, httpVersion, socket } = request;
  const domainName = domainOf(request);
  const now = new Date();
  const isText = isTextual(headers['content-type']) && headers['content-encoding'] === undefined;
  const { cookie: cookies, ...others } = headersDistinct;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    ...(cookies && { cookies }),
    headers: { ...joined(others), 'x-forwarded-proto': 'http' },
    queryStringParameters: joined(Object.fromEntries(lists(url.searchParams))),
    requestContext: {
      accountId: awsEnvironment.account,
      apiId: 'local',
      domainName,
      domainPrefix: 'local',
      http: {
        method,
        path: url.pathname,
        protocol: `HTTP/${httpVersion}`,
        sourceIp: socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

function isTextual(contentType: string | undefined): boolean {
  const type = mediaTypeOf(contentType);
  return type.startsWith('text/') || textual.has(type) || type.endsWith('+json') || type.endsWith('+xml');
}

const textual = new Set(['json', 'javascript', 'xml', 'x-www-form-urlencoded'].map((name) => `application/${name}`));

const lists = (parameters: URLSearchParams) =>
  Array.from(new Set(parameters.keys()), (name) => [name, parameters.getAll(name)] as const);

const joined = (lists: Readonly<Record<string, readonly string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(lists).map(([name, values = []]) => [name, values.join(',')]));

/** Lambda's own refusals, which are not in the service's envelope. */
const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  REQUEST_TOO_LARGE: [413, `Request must be smaller than ${awsLimits.payload} bytes for the InvokeFunction operation`],
  API_CONFIGURATION_ERROR: [429, 'Rate Exceeded.'],
};

const answers: Gateway['answers'] = (type, defaultStatus, requestId) => {
  const [status, Message] = refusals[type] ?? [defaultStatus < 500 ? defaultStatus : 502, 'Internal Server Error'];
  const headers = { 'content-type': 'application/json', 'x-amzn-requestid': requestId };
  return { status, headers, body: JSON.stringify({ Message }) };
};
