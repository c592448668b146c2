import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { GraphRecord, namesOf } from '../../../../domain/lineage/generations/graph-record.ts';
import type { GraphRecords, NamesReader } from '../../../../domain/lineage/generations/ports.ts';
import type { Registry } from '../../../../domain/workspaces/access/registry.ts';
import { rewriteIndex } from '../../keys/registry-keys.ts';
import { dueItems } from '../../requests/queries.ts';
import type { Table } from '../../requests/table.ts';

/** The steps of rewriting names, over the registry's records and the due index. */
export const graphRecords = (table: Table, { graphs, commit }: Pick<Registry, 'graphs' | 'commit'>): GraphRecords => ({
  find: (workspace_id) => graphs.find({ workspace_id }),
  advance: (found, to) => commit([graphs.replace(found, to)]),
  due: async (now, limit) =>
    (await dueItems(table, rewriteIndex, now, limit)).map((item) => v.parse(GraphRecord, unmarshall(item))),
});

type Named = {
  readonly connectors: Pick<Registry['connectors'], 'list'>;
  readonly graphs: Pick<Registry['graphs'], 'find'>;
};

/** Reads the names of a workspace as its graph has them. */
export const namesReader =
  ({ connectors, graphs }: Named): NamesReader =>
  async (workspace_id, alongside = async () => {}) => {
    const listed = await connectors.list(workspace_id);
    const [found] = await Promise.all([graphs.find({ workspace_id }), alongside(listed.map(({ id }) => id))]);
    return namesOf(listed, found?.record ?? null);
  };
