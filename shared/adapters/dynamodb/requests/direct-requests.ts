import { createHmac, hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { lastSigningKey } from '../../signing-key.ts';
import { answerOf } from './answer-reader.ts';
import { backoff } from './transact.ts';

type Handler = DynamoDBClient['config']['requestHandler'];
type Request = Parameters<Handler['handle']>[0];

/** Operations with only JSON values and bytes, to which the SDK adds nothing; it gives each transaction a token. */
export const directOperations: ReadonlySet<string> = new Set([
  'BatchExecuteStatement',
  'BatchGetItem',
  'BatchWriteItem',
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'SendMessage',
  'UpdateItem',
]);

/** The services that take operations as JSON: the prefix of the header that names one, and what the SDK adds to a request. */
const services = {
  dynamodb: { target: 'DynamoDB_20120810', headers: () => ({}) },
  sqs: { target: 'AmazonSQS', headers: traceHeader },
};
type ServiceName = keyof typeof services;

/** Keys are texts, and looking for bytes costs as much as writing them. The SDK resends a refused request. */
const readsByKey: ReadonlySet<string> = new Set(['BatchGetItem', 'GetItem', 'Query']);

/** The AWS trace header, which also detects loops of functions and queues; Lambda sets it for each request. */
function traceHeader(): Readonly<Record<string, string>> {
  const trace = process.env['_X_AMZN_TRACE_ID'];
  return trace && process.env['AWS_LAMBDA_FUNCTION_NAME'] ? { 'x-amzn-trace-id': trace } : {};
}

/**
 * Has a client send the commonest operations by its own connections and credentials, but without the SDK's middleware,
 * which is most of a request's cost. It is one attempt: the SDK retries failures other than a refused condition, because
 * it knows all errors and when to try again. It also sends the first request, which tells the endpoint. Call it once for
 * each client. The setting DIRECT_REQUESTS switches it off without a release.
 */
export function withDirectRequests<C extends DynamoDBClient | SQSClient>(built: C, service: ServiceName): C {
  if (process.env['DIRECT_REQUESTS'] === 'false') return built;
  // Of both, what is used here is the same.
  const client = built as DynamoDBClient;
  const { credentials, region, requestHandler } = client.config;
  const signer = postSigner({ credentials, region }, service);
  let endpoint: URL | undefined;
  const send = async (to: URL, operation: string, input: object) => {
    const signingDate = new Date(Date.now() + client.config.systemClockOffset);
    const text = readsByKey.has(operation) ? JSON.stringify(input) : requestText(input);
    const request = await signer.sign(requestOf(to, service, operation, text), { signingDate });
    const { response } = await requestHandler.handle(request);
    return { response, output: outputOf(response, await textOf(response.body)) };
  };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const operation = context.commandName?.replace(/Command$/, '') ?? '';
      if (!directOperations.has(operation)) return next(args);
      if (endpoint === undefined) {
        const answer = await next(args);
        endpoint = context.endpointV2?.url;
        return answer;
      }
      const answer = await send(endpoint, operation, args.input).catch(() => null);
      if (answer?.output instanceof Error) throw answer.output;
      if (answer?.output) return answer as Awaited<ReturnType<typeof next>>;
      await backoff(1);
      return next(args);
    },
    { step: 'initialize', priority: 'low', name: 'directRequests' },
  );
  return built;
}

const requestOf = (to: URL, service: ServiceName, operation: string, body: string) =>
  ({
    method: 'POST',
    protocol: to.protocol,
    hostname: to.hostname,
    ...(to.port && { port: Number(to.port) }),
    path: '/',
    query: {},
    headers: {
      host: to.host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `${services[service].target}.${operation}`,
      ...services[service].headers(),
    },
    body,
  }) as Request;

/** The whole body: an iterator over its parts would add a tenth to the cost of a request. */
const textOf = (body: Readable): Promise<string> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    body.on('data', (part: Buffer) => parts.push(part));
    body.once('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    body.once('error', reject);
    // One that ends early; of one that has ended nothing changes.
    body.once('close', () => reject(new Error('the connection was closed')));
  });

type Response = Awaited<ReturnType<Handler['handle']>>['response'];

/** The output, or the refusal of a condition; null if it is neither. */
function outputOf({ statusCode, headers }: Response, body: string): object | null {
  const $metadata = { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'] };
  if (statusCode === 200) return { ...answerOf(body), $metadata };
  if (statusCode !== 400) return null;
  const { __type, message = '', Item } = answerOf(body) as Refusal;
  return __type?.endsWith('#ConditionalCheckFailedException')
    ? new ConditionalCheckFailedException({ message, $metadata, ...(Item && { Item }) })
    : null;
}

type Refusal = {
  readonly __type?: string;
  readonly message?: string;
  readonly Item?: ConditionalCheckFailedException['Item'];
};

type Signer = Extract<NonNullable<DynamoDBClientConfig['signer']>, { readonly sign: unknown }>;
type Signed = Parameters<Signer['sign']>[0];
type Account = Pick<DynamoDBClient['config'], 'credentials' | 'region'>;

/** What a signature covers besides the body: what AWS asks for, in order. The SDK signs what its retries add as well. */
const covered = ['content-type', 'host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'] as const;

/** Signature Version 4 for posts to a service's root: the SDK's signer and keys were half of a request's cost. */
export function postSigner({ credentials, region }: Account, service: string): Signer {
  const keyOf = lastSigningKey();
  return {
    sign: async (request, { signingDate = new Date(), signingRegion } = {}) => {
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
      const date = new Date(signingDate).toISOString().replace(/[-:]|\.\d{3}/g, '');
      const scope = `${date.slice(0, 8)}/${signingRegion ?? (await region())}/${service}/aws4_request`;
      const headers = {
        ...request.headers,
        'x-amz-date': date,
        ...(sessionToken && { 'x-amz-security-token': sessionToken }),
      };
      const names = covered.filter((name) => name in headers);
      const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', canonical({ ...request, headers }, names))}`;
      const signature = createHmac('sha256', keyOf(secretAccessKey, scope)).update(text).digest('hex');
      const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
      return { ...request, headers: { ...headers, authorization } };
    },
  };
}

const canonical = ({ headers, body }: Signed, names: readonly string[]): string =>
  `POST\n/\n\n${names.map((name) => `${name}:${headers[name]}\n`).join('')}\n${names.join(';')}\n${hash('sha256', body ?? '')}`;

/** The input of an operation as the store's JSON: bytes are base64. */
const requestText = (input: object): string => JSON.stringify(hasBytes(input) ? withTexts(input) : input);

/** Keys of hundreds of items have none, and to copy them costs more than to look. */
function hasBytes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Uint8Array) return true;
  for (const name in value) if (hasBytes(value[name as keyof typeof value])) return true;
  return false;
}

/** Only what holds bytes is copied: an input is not to be changed, and most of it holds none. */
function withTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64');
  const provided = value as Readonly<Record<string, unknown>>;
  let copy: Record<string, unknown> | null = null;
  for (const name of Object.keys(provided)) {
    const text = withTexts(provided[name]);
    if (text === provided[name]) continue;
    copy ??= (Array.isArray(provided) ? [...provided] : { ...provided }) as Record<string, unknown>;
    copy[name] = text;
  }
  return copy ?? value;
}
