import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export type Table = { readonly client: DynamoDBClient; readonly name: string };
