import { type AttributeValue, ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { EventLedger } from '../../domain/events/store/ports.ts';
import { eventClaimKey, storeRunKey } from './keys/ledger-keys.ts';
import type { Table } from './table.ts';
import { retryRefused } from './transact.ts';

const ClaimItem = v.object({ batch_id: v.string(), run_id: v.string() });
const RunItem = v.object({ outcome: v.picklist(['committed', 'abandoned']) });

/** The ledger of event ids, which are kept for so many days: each claim is one conditional write of one unit. */
export function eventLedger(table: Table, keptDays: number): EventLedger {
  const ttl = () => Math.ceil(Date.now() / 1_000) + keptDays * 86_400;
  return {
    claim: async (key, { batchId, runId }) => {
      const pk = claimKey(key);
      const existing = await putUnless(
        table,
        { ...pk, batch_id: batchId, run_id: runId, ttl: ttl() },
        'attribute_not_exists(pk)',
      );
      return existing && claimOf(existing);
    },
    moveClaim: async (key, from, runId) => {
      const moved = { ...claimKey(key), batch_id: from.batchId, run_id: runId, ttl: ttl() };
      const existing = await putUnless(table, moved, 'batch_id = :batch AND run_id = :run', {
        ':batch': from.batchId,
        ':run': from.runId,
      });
      return existing && claimOf(existing);
    },
    settleRun: async (runId, outcome) => {
      // The rows of a whole run wait for it: unlike a claim it is not left to another run.
      const existing = await retryRefused(() =>
        putUnless(table, { ...storeRunKey(runId), outcome, ttl: ttl() }, 'attribute_not_exists(pk)'),
      );
      return existing ? v.parse(RunItem, existing).outcome : outcome;
    },
  };
}

const claimKey = ({ workspace_id, project_id, environment, id }: Parameters<EventLedger['claim']>[0]) =>
  eventClaimKey(workspace_id, project_id, environment, id);

function claimOf(item: Record<string, unknown>) {
  const { batch_id: batchId, run_id: runId } = v.parse(ClaimItem, item);
  return { batchId, runId };
}

/** Puts the item where the condition holds: null, or the item that stands in its way. */
async function putUnless(
  table: Table,
  item: Readonly<Record<string, string | number>>,
  condition: string,
  values?: Readonly<Record<string, string>>,
): Promise<Record<string, unknown> | null> {
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall(item),
        ConditionExpression: condition,
        ...(values && { ExpressionAttributeValues: marshall(values) }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return null;
  } catch (error) {
    const existing = error instanceof ConditionalCheckFailedException ? error.Item : undefined;
    if (existing === undefined) throw error;
    return unmarshall(existing satisfies Record<string, AttributeValue>);
  }
}
