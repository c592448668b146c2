import { setTimeout as delay } from 'node:timers/promises';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import {
  ConnectorSummary,
  isKept,
  noSummary,
  type SummaryStore,
  type SummaryUpdate,
  updated,
} from '../../../domain/agents/context/summary.ts';
import { mergedRuns } from '../../../domain/base/concurrency.ts';
import { connectorSummaryKey } from '../keys/resource-keys.ts';
import { attributes, batchGet, getItem } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';
import { changing, equal, updateItem } from '../requests/update-item.ts';

const maxAttempts = 8;

/** The item is written as a whole: what several deliveries change is one write. */
const pauseMs = 25;

export const connectorSummaries = (table: Table): SummaryStore => {
  const writes = mergedRuns<SummaryUpdate, void>(
    (changes) => ({
      seen: changes.flatMap(({ seen }) => seen),
      at:
        changes
          .map(({ at }) => at)
          .sort()
          .at(-1) ?? '',
    }),
    { pause: () => delay(pauseMs) },
  );
  return {
    get: async (workspace, connectors) => {
      const keys = new Map(connectors.map((id) => [connectorSummaryKey(workspace, id).pk, id]));
      const items = await batchGet(
        table,
        connectors.map((id) => connectorSummaryKey(workspace, id)),
      );
      return new Map(
        items.flatMap((item) => {
          const id = keys.get(item['pk']?.S ?? '');
          return id ? [[id, v.parse(ConnectorSummary, unmarshall(item))] as const] : [];
        }),
      );
    },
    update: (workspace, connector, change) =>
      writes(`${workspace} ${connector}`, change, (merged) => update(table, workspace, connector, merged)),
  };
};

async function update(
  table: Table,
  workspace: WorkspaceId,
  connector: ConnectorId,
  change: SummaryUpdate,
): Promise<void> {
  const key = connectorSummaryKey(workspace, connector);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const item = await getItem(table, key);
    const known = item ? v.parse(ConnectorSummary, unmarshall(item)) : noSummary;
    const version = Number(item?.['version']?.N ?? 0);
    const next = updated(known, change);
    if (isKept(known, next)) return;
    const { ids, bound, tables, learnt_at } = next;
    const set = attributes({ ids, bound, tables, learnt_at, version: version + 1 });
    const asRead = equal(item ? 'version' : 'pk', item?.['version']);
    const { refused } = await updateItem(table, key, changing({ set, where: [asRead] }));
    if (refused === null) return;
  }
}
