import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** A table and the client that reaches it. */
export type Table = { readonly client: DynamoDBClient; readonly name: string };

/** What requests consumed: filled in by whoever passes it along. */
export type Meter = { requests: number; readUnits: number; writeUnits: number };

export const newMeter = (): Meter => ({ requests: 0, readUnits: 0, writeUnits: 0 });
