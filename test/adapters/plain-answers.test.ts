import { Readable } from 'node:stream';
import { BatchGetItemCommand, DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withPlainAnswers } from '../../shared/adapters/dynamodb/plain-answers.ts';

const base64 = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const name = fc.oneof(
  fc.constantFrom('B', 'BS', 'S', 'M', 'Items'),
  fc.string({ maxLength: 8 }).filter((text) => text !== '__proto__'),
);
const { value } = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.record({ S: fc.oneof(fc.string(), fc.constant('{"B":"eA=="}')) }),
    fc.record({ N: fc.bigInt({ min: 0n, max: 10n ** 37n }).map(String) }),
    fc.record({ B: base64 }),
    fc.record({ BS: fc.array(base64, { minLength: 1, maxLength: 3 }) }),
    fc.record({ SS: fc.array(fc.string(), { minLength: 1, maxLength: 3 }) }),
    fc.record({ BOOL: fc.boolean() }),
    fc.record({ NULL: fc.constant(true) }),
    fc.record({ L: fc.array(tie('value'), { maxLength: 3 }) }),
    fc.record({ M: fc.dictionary(name, tie('value'), { maxKeys: 3 }) }),
  ),
}));
const item = fc.dictionary(name, value, { maxKeys: 5 });

function answering(statusCode: number, body: unknown, indent = 0): DynamoDBClient {
  const handle = async () => ({
    response: {
      statusCode,
      headers: { 'x-amzn-requestid': 'r' },
      body: Readable.from([Buffer.from(JSON.stringify(body, null, indent))]),
    },
  });
  return new DynamoDBClient({
    region: 'eu-central-1',
    endpoint: 'http://127.0.0.1:1',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    maxAttempts: 1,
    requestHandler: { handle, updateHttpClientConfig: () => undefined, httpHandlerConfigs: () => ({}) },
  });
}

const table = { TableName: 't' };
const key = { pk: { S: 'p' } };

describe('answers that are read without schemas', () => {
  it.each([
    ['closely', 0],
    ['with spaces', 1],
  ])('are those that the SDK reads, written %s', async (_, indent) => {
    const consumed = { TableName: 't', CapacityUnits: 1.5 };
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 4 }), async (items) => {
        for (const [command, body] of [
          [
            new QueryCommand({ ...table, KeyConditionExpression: 'pk = :p' }),
            { Items: items, Count: items.length, ConsumedCapacity: consumed, LastEvaluatedKey: key },
          ],
          [
            new BatchGetItemCommand({ RequestItems: { t: { Keys: [key] } } }),
            { Responses: { t: items }, UnprocessedKeys: { t: { Keys: [key] } }, ConsumedCapacity: [consumed] },
          ],
          [new GetItemCommand({ ...table, Key: key }), { ...(items[0] && { Item: items[0] }) }],
        ] as const) {
          const { $metadata: ___, ...plain } = await withPlainAnswers(answering(200, body, indent)).send(
            command as GetItemCommand,
          );
          const { $metadata: __, ...known } = await answering(200, body).send(command as GetItemCommand);
          expect(texts(plain)).toEqual(texts(known));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are refusals as the SDK tells them', async () => {
    const body = { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', message: 'gone' };
    const asked = withPlainAnswers(answering(400, body)).send(new GetItemCommand({ ...table, Key: key }));
    await expect(asked).rejects.toMatchObject({ name: 'ResourceNotFoundException', message: 'gone' });
  });
});

/** Bytes are bytes, of whichever class. */
const texts = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one) =>
      one?.type === 'Buffer' ? { bytes: one.data } : one instanceof Uint8Array ? { bytes: [...one] } : one,
    ),
  );
