import { DynamoDBClient, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';

/** How many items a table holds, and the bytes that it bills for: a scan consumes half a unit for 4 KB. */
export async function tableSize(TableName: string): Promise<{ readonly items: number; readonly bytes: number }> {
  // A page of a large table takes the emulator longer than the service waits for any answer.
  const client = new DynamoDBClient({ requestHandler: { requestTimeout: 120_000 } });
  let [items, units] = [0, 0];
  let from: ScanCommandInput['ExclusiveStartKey'];
  do {
    const start = from && { ExclusiveStartKey: from };
    const command = new ScanCommand({
      TableName,
      Select: 'COUNT',
      Limit: 2_000,
      ReturnConsumedCapacity: 'TOTAL',
      ...start,
    });
    const { Count = 0, ConsumedCapacity, LastEvaluatedKey } = await client.send(command);
    items += Count;
    units += ConsumedCapacity?.CapacityUnits ?? 0;
    from = LastEvaluatedKey;
  } while (from !== undefined);
  return { items, bytes: units * 8_192 };
}
