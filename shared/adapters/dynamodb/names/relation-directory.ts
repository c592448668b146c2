import type { ConnectorId } from '../../../contract/ids.ts';
import type { GraphId, NodeId } from '../../../domain/lineage/graph/ids.ts';
import { nameTails, type RelationDirectory, type RelationEntry } from '../../../domain/lineage/graph/name-parts.ts';
import { nodeOf, type Urn } from '../../../domain/lineage/graph/node.ts';
import { lastPartOf } from '../../../domain/lineage/names/relation-ref.ts';
import { connectorGraphKey, nameEntryKey } from '../keys/graph-keys.ts';
import { batchGet } from '../requests/batch-get.ts';
import { beginningWith, queryEach } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { directoryWriter, type KnownRelations } from './directory-writer.ts';

export const relationDirectory = (table: Table, known: KnownRelations): RelationDirectory => ({
  add: directoryWriter(table, known),
  ...directoryReader(table),
});

export const directoryReader = (table: Table): Pick<RelationDirectory, 'named' | 'any'> => ({
  named: (graph, connector, name) => named(table, graph, connector, name),
  any: async (graph, connector) => {
    const found = await batchGet(table, [connectorGraphKey(graph, connector)], { attributes: ['pk'] });
    return found.length > 0;
  },
});

async function named(table: Table, graph: GraphId, connectorId: ConnectorId, name: string): Promise<RelationEntry[]> {
  const tails = [name, `"${name.replaceAll('"', '""')}"`].flatMap((text) => nameTails(text).slice(0, 1));
  const urns = await Promise.all([...new Set(tails)].map((tail) => urnsUnder(table, graph, tail)));
  return urns.flat().flatMap((urn) => {
    const node = nodeOf(urn);
    const isMatch = node.kind === 'relation' && node.connectorId === connectorId;
    return isMatch && lastPartOf(node.ref).toLowerCase() === name.toLowerCase()
      ? [{ connectorId, ref: node.ref, table: name }]
      : [];
  });
}

function urnsUnder(table: Table, graph: GraphId, tail: string): Promise<Urn[]> {
  const query = beginningWith(nameEntryKey(graph, tail, '' as NodeId));
  return queryEach(table, query, (item) => (item['u']?.S ?? '') as Urn);
}
