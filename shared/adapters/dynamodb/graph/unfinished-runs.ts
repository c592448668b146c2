import { sha256 } from '../../../domain/base/digest.ts';
import type { GraphId, ScopeId } from '../../../domain/lineage/graph/node.ts';
import type { UnfinishedRun, UnfinishedRuns } from '../../../domain/lineage/graph/runs.ts';
import { unfinishedRunKey, unfinishedRunPartition } from '../keys/graph-keys.ts';
import { deleteItem } from '../requests/items.ts';
import { pack, unpack } from '../requests/parts.ts';
import { inPartition, queryOnce } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { changing, updateItem } from '../requests/update-item.ts';

/** A run that nobody ended by then is no news: its source shows as a gap for as long as it goes on. */
const keptDays = 8;

const keyOf = (graph: GraphId, job: ScopeId, runId: string) =>
  unfinishedRunKey(graph, sha256(`${job} ${runId}`).toString('base64url'));

export const unfinishedRunReader = (table: Table): Pick<UnfinishedRuns, 'list'> => ({
  list: async (graph, limit) => {
    const { Items = [] } = await queryOnce(table, { ...inPartition(unfinishedRunPartition(graph)), Limit: limit });
    const now = Date.now() / 1_000;
    const kept = Items.filter(({ ttl }) => Number(ttl?.N) > now);
    return kept.flatMap(({ run, since }) => {
      const stated = unpack(run) as Omit<UnfinishedRun, 'since'> | null;
      return stated ? { ...stated, since: since?.S ?? '' } : [];
    });
  },
});

export const unfinishedRuns = (table: Table): UnfinishedRuns => ({
  ...unfinishedRunReader(table),
  put: async (graph, job, runId, { since, ...run }) => {
    const ttl = { N: String(Math.floor(Date.now() / 1_000) + keptDays * 86_400) };
    const change = changing({ set: { run: pack(run), ttl }, setIfMissing: { since: { S: since } } });
    await updateItem(table, keyOf(graph, job, runId), change);
  },
  remove: async (graph, job, runId) => {
    await deleteItem(table, keyOf(graph, job, runId));
  },
});
