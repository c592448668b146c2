import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from './batch-get.ts';
import type { Table } from './table.ts';

/** Rows that a page looks at: a filter that few rows pass must not read the whole list. */
const rowsPerPage = 2_000;

/** Items of a list in `gsi1`, more than `limit` where there are; `reached` is the last row looked at, null at the end. */
export async function queryPage(
  table: Table,
  query: Omit<QueryCommandInput, 'TableName' | 'IndexName'>,
  limit: number,
): Promise<{ readonly items: readonly Item[]; readonly reached: string | null }> {
  const items: Item[] = [];
  let start: Item | undefined;
  let looked = 0;
  do {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'gsi1',
        ...query,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...(answer.Items ?? []));
    looked += answer.ScannedCount ?? 0;
    start = answer.LastEvaluatedKey;
  } while (start && items.length <= limit && looked < rowsPerPage);
  return { items, reached: start?.['gsi1sk']?.S ?? null };
}
