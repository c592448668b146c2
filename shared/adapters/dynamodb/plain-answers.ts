import { text } from 'node:stream/consumers';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

type Answer = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: NodeJS.ReadableStream;
};
type Protocol = {
  deserializeResponse(operation: { readonly name: string }, context: unknown, answer: Answer): Promise<unknown>;
};

/** Operations whose answers hold no other values than JSON has, but for binary attributes. */
const operations: ReadonlySet<string> = new Set([
  'BatchGetItem',
  'BatchWriteItem',
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'UpdateItem',
]);

/**
 * Has a client read the answers with items by `JSON.parse`. The SDK looks up the schema of every value of an answer,
 * which is a quarter of the processor time of a request for a hundred items. Errors are read by the SDK. Once a client.
 */
export function withPlainAnswers(client: DynamoDBClient): DynamoDBClient {
  const protocol = client.config.protocol as Protocol;
  const bySchema = protocol.deserializeResponse.bind(protocol);
  protocol.deserializeResponse = async (operation, context, response) => {
    if (response.statusCode !== 200 || !operations.has(operation.name)) return bySchema(operation, context, response);
    const body = await text(response.body);
    const { statusCode: httpStatusCode, headers } = response;
    const $metadata = { httpStatusCode, requestId: headers['x-amzn-requestid'] };
    return { ...answerOf(body), $metadata };
  };
  return client;
}

function answerOf(body: string): Record<string, unknown> {
  const answer = JSON.parse(body || '{}') as Record<string, unknown>;
  // JSON may have spaces after a colon.
  if (body.includes('"B"') || body.includes('"BS"')) decodeBinaries(answer);
  return answer;
}

/** Only the value of an attribute has a text as its member `B`: what maps hold under any name is an object. */
function decodeBinaries(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('B' in value && typeof value.B === 'string') value.B = Buffer.from(value.B, 'base64');
  else if ('BS' in value && Array.isArray(value.BS)) value.BS = value.BS.map((one) => Buffer.from(one, 'base64'));
  else for (const one of Object.values(value)) decodeBinaries(one);
}
