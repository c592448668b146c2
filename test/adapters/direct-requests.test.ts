import { Readable } from 'node:stream';
import {
  BatchGetItemCommand,
  type ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { withDirectRequests } from '../../shared/adapters/dynamodb/requests/direct-requests.ts';

const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const base64 = bytes.map((some) => Buffer.from(some).toString('base64'));
const name = fc.oneof(
  fc.constantFrom('B', 'BS', 'S', 'M', 'Items'),
  fc.string({ maxLength: 8 }).filter((text) => text !== '__proto__'),
);
/** Items with bytes as the wire has them, or as callers do. */
function items<B>(bytes: fc.Arbitrary<B>) {
  const { value } = fc.letrec<{ value: object }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.record({ S: fc.oneof(fc.string(), fc.constant('{"B":"eA=="}')) }),
      fc.record({ N: fc.bigInt({ min: 0n, max: 10n ** 37n }).map(String) }),
      fc.record({ B: bytes }),
      fc.record({ BS: fc.array(bytes, { minLength: 1, maxLength: 3 }) }),
      fc.record({ SS: fc.array(fc.string(), { minLength: 1, maxLength: 3 }) }),
      fc.record({ BOOL: fc.boolean() }),
      fc.record({ NULL: fc.constant(true) }),
      fc.record({ L: fc.array(tie('value'), { maxLength: 3 }) }),
      fc.record({ M: fc.dictionary(name, tie('value'), { maxKeys: 3 }) }),
    ),
  }));
  return fc.dictionary(name, value, { maxKeys: 5 });
}

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body: string };
type Reply = { readonly status: number; readonly body: unknown };

const table = { TableName: 't' };
const key = { pk: { S: 'p' } };
const refused = (type: string, further = {}) => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'refused', ...further },
});

/** A client over a store that replies in turn, the last reply for ever, and what it was sent. */
function talking(replies: readonly (Reply | Error)[], indent = 0) {
  const sent: Sent[] = [];
  const handle = async (request: Sent) => {
    const reply = replies[Math.min(sent.push(request), replies.length) - 1];
    if (!reply || reply instanceof Error) throw reply;
    const body = Readable.from([Buffer.from(JSON.stringify(reply.body, null, indent))]);
    return { response: { statusCode: reply.status, headers: { 'x-amzn-requestid': 'r' }, body } };
  };
  const config = {
    region: 'eu-central-1',
    endpoint: 'http://127.0.0.1:1',
    credentials: { accessKeyId: 'a', secretAccessKey: 's', sessionToken: 'token' },
    maxAttempts: 1,
    requestHandler: { handle, updateHttpClientConfig: () => undefined, httpHandlerConfigs: () => ({}) } as never,
  };
  return { client: new DynamoDBClient(config), queues: new SQSClient({ ...config, md5: false }), sent };
}

const done: Reply = { status: 200, body: {} };

/** The same, sent directly: the first request, which is the SDK's, is behind it. */
async function direct(replies: readonly (Reply | Error)[], indent = 0) {
  const { client, sent } = talking([done, ...replies], indent);
  withDirectRequests(client, 'dynamodb');
  await client.send(new GetItemCommand({ ...table, Key: key }));
  return { client, sent: () => sent.slice(1) };
}

const isDirect = ({ headers }: Sent): boolean => !('amz-sdk-request' in headers);

describe('answers to direct requests', () => {
  it.each([
    ['closely', 0],
    ['with spaces', 1],
  ])('are those that the SDK reads, written %s', async (_, indent) => {
    const consumed = { TableName: 't', CapacityUnits: 1.5 };
    await fc.assert(
      fc.asyncProperty(fc.array(items(base64), { maxLength: 4 }), async (found) => {
        for (const [command, body] of [
          [
            new QueryCommand({ ...table, KeyConditionExpression: 'pk = :p' }),
            { Items: found, Count: found.length, ConsumedCapacity: consumed, LastEvaluatedKey: key },
          ],
          [
            new BatchGetItemCommand({ RequestItems: { t: { Keys: [key] } } }),
            { Responses: { t: found }, UnprocessedKeys: { t: { Keys: [key] } }, ConsumedCapacity: [consumed] },
          ],
          [new GetItemCommand({ ...table, Key: key }), { ...(found[0] && { Item: found[0] }) }],
        ] as const) {
          const reply = { status: 200, body };
          const { client, sent } = await direct([reply], indent);
          const { $metadata: ___, ...plain } = await client.send(command as GetItemCommand);
          const { $metadata: __, ...known } = await talking([reply]).client.send(command as GetItemCommand);
          expect(texts(plain)).toEqual(texts(known));
          expect(sent().map(isDirect)).toEqual([true]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are refused conditions, with the item as the SDK has it', async () => {
    const Item = { pk: { S: 'p' }, content: { B: 'AQID' } };
    const reply = refused('ConditionalCheckFailedException', { Item });
    const command = () => new UpdateItemCommand({ ...table, Key: key });
    const { client, sent } = await direct([reply]);
    const [plain, known] = await Promise.all(
      [client, talking([reply]).client].map((one) => one.send(command()).catch((error: unknown) => error)),
    );
    const reported = ({ name, message, Item: item, $metadata }: ConditionalCheckFailedException) => {
      const { httpStatusCode, requestId } = $metadata;
      return { name, message, item: texts(item), httpStatusCode, requestId };
    };
    expect(reported(plain as never)).toEqual(reported(known as never));
    expect(plain).toBeInstanceOf(Error);
    expect((plain as object).constructor).toBe((known as object).constructor);
    expect(sent()).toHaveLength(1);
  });

  it.each([
    ['a lost connection', new Error('reset')],
    ['a throttled request', refused('ProvisionedThroughputExceededException')],
    ['an error of the store', { status: 500, body: {} }],
    ['what is no JSON', { status: 200, body: undefined }],
  ])('are asked of the SDK after %s', async (_, failure) => {
    const { client, sent } = await direct([failure, { status: 200, body: { Item: key } }]);
    const { Item } = await client.send(new GetItemCommand({ ...table, Key: key }));
    expect(Item).toEqual(key);
    expect(sent().map(isDirect)).toEqual([true, false]);
  });

  it('are refusals as the SDK tells them', async () => {
    const { client } = await direct([refused('ResourceNotFoundException')]);
    const pending = client.send(new GetItemCommand({ ...table, Key: key }));
    await expect(pending).rejects.toMatchObject({ name: 'ResourceNotFoundException', message: 'refused' });
  });
});

it('says to the store what the SDK says', async () => {
  await fc.assert(
    fc.asyncProperty(items(bytes), async (Item) => {
      const command = () => new PutItemCommand({ ...table, Item: Item as never, ConditionExpression: undefined });
      const { client, sent } = await direct([done]);
      const known = talking([done]);
      await Promise.all([client.send(command()), known.client.send(command())]);
      const [one, other] = [sent()[0], known.sent[0]];
      expect(JSON.parse(one?.body ?? '')).toEqual(JSON.parse(other?.body ?? ''));
      for (const header of ['host', 'content-type', 'x-amz-target', 'x-amz-security-token'])
        expect(one?.headers[header]).toBe(other?.headers[header]);
    }),
    { numRuns: 30 },
  );
});

it('says to a queue what the SDK says, with the trace that Lambda is in', async () => {
  const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793';
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'f').stubEnv('_X_AMZN_TRACE_ID', trace);
  const answer = { MessageId: 'm', MD5OfMessageBody: 'd' };
  const { queues, sent } = talking([{ status: 200, body: answer }]);
  withDirectRequests(queues, 'sqs');
  const QueueUrl = 'http://127.0.0.1:1/1/queue';
  const send = () => queues.send(new SendMessageCommand({ QueueUrl, MessageBody: '{"é":1}', MessageGroupId: 'g' }));
  const { $metadata: _, ...known } = await send();
  const { $metadata: __, ...plain } = await send();
  vi.unstubAllEnvs();
  const [other, one] = sent;
  expect(plain).toEqual(known);
  expect([one?.headers['x-amzn-trace-id'], other?.headers['X-Amzn-Trace-Id']]).toEqual([trace, trace]);
  expect(sent.map(isDirect)).toEqual([false, true]);
  expect(JSON.parse(one?.body ?? '')).toEqual(JSON.parse(String(other?.body)));
  for (const header of ['host', 'content-type', 'x-amz-target'])
    expect(one?.headers[header]).toBe(other?.headers[header]);
});

/** Compares bytes regardless of their class. */
const texts = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one) =>
      one?.type === 'Buffer' ? { bytes: one.data } : one instanceof Uint8Array ? { bytes: [...one] } : one,
    ),
  );
