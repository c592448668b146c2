import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../shared/adapters/dynamodb/table.ts';

/** How many items a table holds, and the bytes that it bills for: a scan consumes half a unit for 4 KB. */
export async function tableSize(table: Table): Promise<{ readonly items: number; readonly bytes: number }> {
  let [items, units] = [0, 0];
  let from: ScanCommandInput['ExclusiveStartKey'];
  do {
    const { Count = 0, ConsumedCapacity, LastEvaluatedKey } = await counted(table, from);
    items += Count;
    units += ConsumedCapacity?.CapacityUnits ?? 0;
    from = LastEvaluatedKey;
  } while (from !== undefined);
  return { items, bytes: units * 8_192 };
}

function counted(table: Table, ExclusiveStartKey: ScanCommandInput['ExclusiveStartKey']): Promise<ScanCommandOutput> {
  const from = ExclusiveStartKey && { ExclusiveStartKey };
  const command = { TableName: table.name, Select: 'COUNT', ReturnConsumedCapacity: 'TOTAL', ...from } as const;
  return table.client.send(new ScanCommand(command));
}
