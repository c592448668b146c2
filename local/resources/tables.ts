import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { type Wiring, wired } from '../template/wiring.ts';

const KeySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));

const TableProperties = v.object({
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) })),
  KeySchema,
  BillingMode: v.literal('PAY_PER_REQUEST'),
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema,
        Projection: v.object({ ProjectionType: v.picklist(['ALL', 'KEYS_ONLY']) }),
      }),
    ),
  ),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.string(), Enabled: v.boolean() })),
});

/** Creates the template's tables where they do not exist yet. */
export async function createTables(client: DynamoDBClient, wiring: Wiring): Promise<void> {
  for (const { ref, properties } of wired(wiring, 'AWS::DynamoDB::Table', TableProperties)) {
    const { TimeToLiveSpecification, GlobalSecondaryIndexes, ...rest } = properties;
    const input = { TableName: ref, ...rest, ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }) };
    if (!(await createTable(client, input)) || !TimeToLiveSpecification) continue;
    await client.send(new UpdateTimeToLiveCommand({ TableName: ref, TimeToLiveSpecification }));
  }
}

async function createTable(client: DynamoDBClient, input: CreateTableCommandInput): Promise<boolean> {
  try {
    await client.send(new CreateTableCommand(input));
    return true;
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
}
