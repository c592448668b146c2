import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** A table and the client that reaches it. */
export type Table = { readonly client: DynamoDBClient; readonly name: string };
