import { inParallel } from '../../base/concurrency.ts';
import { isWide } from '../../lineage/graph/claim.ts';
import type { DetailStore } from '../../lineage/graph/derivation.ts';
import { type GraphId, type NodeId, shardCount } from '../../lineage/graph/ids.ts';
import type { NameIndex, RelationDirectory } from '../../lineage/graph/name-parts.ts';
import { nodeOf } from '../../lineage/graph/node.ts';
import type { GraphNode, PageReader } from '../../lineage/graph/page-reader.ts';
import type { SchemaId, SchemaStore } from '../../lineage/graph/schema.ts';
import { statedColumns } from '../../lineage/projection/edges.ts';

type IndexPorts = {
  readonly pages: Pick<PageReader, 'scan' | 'schemas' | 'names'>;
  readonly directory: Pick<RelationDirectory, 'add'>;
  readonly names: Pick<NameIndex, 'addWideNode'>;
  readonly schemas: Pick<SchemaStore, 'get'>;
  readonly details: Pick<DetailStore, 'ofNodes'>;
};

const nodesPerRead = 500;
const writesInFlight = 8;

/** Makes every node of a graph findable by name, also those that were written before names were indexed. */
export async function indexNames(ports: IndexPorts, graph: GraphId): Promise<number> {
  const { pages, directory, names } = ports;
  let indexed = 0;
  for (let shard = 0; shard < shardCount; shard++) {
    let after: NodeId | null = null;
    do {
      const nodes = await pages.scan(graph, shard, after, nodesPerRead);
      await directory.add(
        graph,
        nodes.map(({ urn }) => nodeOf(urn)),
        { anew: true },
      );
      await indexColumns(ports, graph, nodes);
      const wide = nodes.flatMap(({ urn, levels }) => Object.values(levels).map((level) => ({ urn, level })));
      await inParallel(
        writesInFlight,
        wide.filter(({ level }) => level > 0),
        ({ urn, level }) => names.addWideNode(graph, urn, level),
      );
      indexed += nodes.length;
      after = nodes.at(-1)?.node ?? null;
    } while (after !== null);
  }
  return indexed;
}

/** Makes what lists and evidence report the columns of some nodes, and of those that feed them, findable. */
async function indexColumns(ports: IndexPorts, graph: GraphId, nodes: readonly GraphNode[]): Promise<void> {
  const [first, last] = [nodes.at(0)?.node, nodes.at(-1)?.node];
  if (first === undefined || last === undefined) return;
  const wide = nodes.filter(({ levels }) => isWide(levels)).map(({ node }) => node);
  const apart = await ports.pages.schemas(graph, wide, { withHistory: false });
  const described = nodes.flatMap(({ node, urn, schemas }) =>
    [...schemas, ...(apart.get(node) ?? [])].map(({ other }) => ({ node: urn, schema: other as SchemaId })),
  );
  const contents = await ports.schemas.get(
    graph,
    described.map(({ schema }) => schema),
  );
  const details = await ports.details.ofNodes(graph, { first, last });
  const urns = new Map(nodes.map(({ node, urn }) => [node, urn]));
  const unnamed = [...new Set(details.map(({ from }) => from))].filter((node) => !urns.has(node));
  for (const { node, urn } of await ports.pages.names(graph, unnamed)) urns.set(node, urn);
  const edges = details.flatMap(({ from: source, to: target, detail }) => {
    const [from, to] = [urns.get(source), urns.get(target)];
    return from !== undefined && to !== undefined ? [{ from, to, detail }] : [];
  });
  await ports.directory.add(graph, [], { columns: statedColumns({ edges, described, contents }) });
}
