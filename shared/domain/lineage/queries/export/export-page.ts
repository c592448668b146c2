import * as v from 'valibot';
import type { ExportPage } from '../../../../contract/export.ts';
import type { ConnectorId, WorkspaceId } from '../../../../contract/ids.ts';
import { sortedBy } from '../../../base/collections.ts';
import { type BoundList, readCursor, writeCursor } from '../../../base/paging/cursor.ts';
import type { Derivation, EdgeColumn } from '../../graph/derivation.ts';
import {
  isInlined,
  type Node,
  type NodeId,
  nodeId,
  nodeOf,
  ownerOf,
  shardCount,
  shardOf,
  type Urn,
  urnOf,
} from '../../graph/node.ts';
import type { RelationSchema } from '../../graph/schema.ts';
import { datasetOf } from '../../names/dataset-of-node.ts';
import {
  type ExportContext,
  type ExportedDataset,
  type ExportedEvent,
  exportDataset,
  exportEvents,
  exportReading,
} from '../../sources/openlineage/export.ts';
import { jobOfScope } from '../../sources/openlineage/job-scopes.ts';
import type { ColumnsView } from '../../traversal/columns-view.ts';
import { activeEdges, type EvaluatedEdge, edgeEvaluator, followed } from '../../traversal/evaluate.ts';
import { admittedOf, type Evidence } from '../../traversal/evidence.ts';
import { expand, touches } from '../../traversal/expansion.ts';
import type { GraphQuery, QueryContext } from '../../traversal/graph-view.ts';
import { currentName } from '../../traversal/names.ts';
import { type ScannedPage, type ScanPosition, scanPages, scanStart } from '../../traversal/scan-graph.ts';
import { keysOf, silentReaders } from '../../traversal/silent-readers.ts';
import { edgeKey } from '../../traversal/traversal-state.ts';
import { noVerdict, verdictsOf } from '../../traversal/verdict.ts';

type PageRequest = Omit<ExportRequest, 'asOf' | 'from'> & {
  readonly now: string;
  readonly cursor: string | null;
  readonly limit: number;
  /** Signs cursors. */
  readonly secret: Uint8Array;
};

const [fewestNodesRead, nodesRead] = [50, 500];
const pagesAhead = 3;

/** One page of the export; every page holds for the `as_of` of the first: C-EXPORT-2. */
export async function exportPage(query: GraphQuery, request: PageRequest): Promise<ExportPage> {
  const { secret, limit } = request;
  const start = { asOf: request.now, from: scanStart, skip: 0 };
  const place = readExportCursor(secret, request, request.cursor) ?? start;
  const events: ExportPage['events'] = [];
  let { from, skip } = place;
  const page = (next: string | null) => pageOf({ as_of: place.asOf, events }, next);
  // Nearly every relation has an event: what is read beyond the room is read in vain.
  const nodesPerPage = () => Math.min(Math.max(limit - events.length, fewestNodesRead), nodesRead);
  const reading = { nodesPerPage, ahead: 0 };
  for await (const nodes of exportGraph(query, { ...request, asOf: place.asOf, from }, reading)) {
    for (const node of nodes) {
      const remaining = limit - events.length;
      const rest = node.events.slice(skip);
      if (remaining === 0 && rest.length > 0)
        return page(writeExportCursor(secret, request, { asOf: place.asOf, from, skip }));
      events.push(...(rest.slice(0, remaining) as unknown as ExportPage['events']));
      if (rest.length > remaining) {
        return page(writeExportCursor(secret, request, { asOf: place.asOf, from, skip: skip + remaining }));
      }
      from = node.after;
      skip = 0;
    }
    // Not before it is beyond the cursor's place: the next page would read the same again.
    if (from !== place.from && query.context.isSpent())
      return page(writeExportCursor(secret, request, { asOf: place.asOf, from, skip }));
  }
  return page(null);
}

const pageOf = (shown: Pick<ExportPage, 'as_of' | 'events'>, next_cursor: string | null): ExportPage => ({
  format: 'openlineage',
  as_of: shown.as_of,
  events: shown.events,
  next_cursor,
  truncated: next_cursor !== null,
  // Every relation has a name.
  skipped_edges: 0,
});

/** The whole export as NDJSON, made as it is read. */
export async function* exportLines(query: GraphQuery, request: Omit<ExportRequest, 'from'>): AsyncGenerator<string> {
  const reading = { nodesPerPage: () => nodesRead, ahead: pagesAhead };
  for await (const nodes of exportGraph(query, { ...request, from: scanStart }, reading)) {
    const lines = nodes.flatMap(({ events }) => events.map((event) => `${JSON.stringify(event)}\n`));
    if (lines.length > 0) yield lines.join('');
  }
}

/** Where the next page begins: after a node of the scan, and after some events of the next one. */
type ExportPlace = Pick<ExportRequest, 'asOf' | 'from'> & { readonly skip: number };

const Position = v.tuple([
  v.string(),
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(shardCount)),
  v.nullable(v.string()),
  v.pipe(v.number(), v.integer(), v.minValue(0)),
]);

type Exported = Pick<ExportRequest, 'workspace' | 'connectorId' | 'profile'>;

const listOf = ({ workspace, connectorId, profile }: Exported): BoundList => [
  'export',
  workspace,
  connectorId,
  profile,
];

const writeExportCursor = (secret: Uint8Array, request: Exported, { asOf, from, skip }: ExportPlace): string =>
  writeCursor(listOf(request), [asOf, from.shard, from.node, skip], secret);

/** The place of a cursor of the same request; null if there is none. Throws `validation_error` for any other text. */
function readExportCursor(
  secret: Uint8Array,
  request: Exported,
  cursor: string | null | undefined,
): ExportPlace | null {
  const place = readCursor(listOf(request), Position, cursor, secret);
  if (place === null) return null;
  const [asOf, shard, node, skip] = place;
  return { asOf, from: { shard, node: node as NodeId | null }, skip };
}

type ExportQuery = GraphQuery;

export type ExportRequest = {
  readonly workspace: WorkspaceId;
  /** Only edges with an end on this connector; null: all. */
  readonly connectorId: ConnectorId | null;
  readonly profile: ExportContext['profile'];
  /** The moment that the export holds for: what was recorded later is not in it. */
  readonly asOf: string;
  readonly from: ScanPosition;
};

/** The events of one relation, and where the export goes on after it. */
type ExportedNode = {
  readonly events: readonly (ExportedEvent | ExportedDataset)[];
  readonly after: ScanPosition;
};

/** How much of the graph is read in one go, and how many such pages before they are requested. */
type ReadAheadOptions = { readonly nodesPerPage: () => number; readonly ahead: number };

/** The active edges as OpenLineage events, one downstream relation after the other, ordered only by names. */
function exportGraph(
  query: ExportQuery,
  request: ExportRequest,
  reading: ReadAheadOptions,
): AsyncGenerator<readonly ExportedNode[]> {
  const { asOf, from } = request;
  return scanPages(query, { asOf, from, ...reading }, (page) => exportNodes(request, page));
}

async function exportNodes(
  { asOf, connectorId, profile }: ExportRequest,
  { read, nodes, view }: ScannedPage<ExportQuery>,
): Promise<ExportedNode[]> {
  const found = nodes.flatMap(({ edges }) => edges);
  const target = connectorId === null ? found : found.filter((edge) => touches(edge, connectorId));
  const options = activeEdges(asOf, { withDetails: true });
  const evaluator = edgeEvaluator(view, options);
  const evaluated = followed(await evaluator.evaluate('in', target));
  const edges = Map.groupBy(evaluated, ({ downstream }) => downstream);
  const isWanted = (urn: Urn) => connectorId === null || ownerOf(nodeOf(urn)) === connectorId;
  const unfed = read.filter((urn) => !edges.has(urn) && isWanted(urn));
  const alone = profile === 'job' ? await withoutReaders(view, unfed) : new Set<Urn>();
  const jobs = await jobsReading(view, read.filter(isWanted));
  await view.columns.load([
    ...alone,
    ...jobs.keys(),
    ...evaluated.flatMap(({ upstream, downstream }) => [upstream, downstream]),
  ]);
  // Every edge is compared: what one page compares must not depend on its size.
  const verdicts = await verdictsOf(view, evaluated, Number.POSITIVE_INFINITY);
  const byEnds = new Map([...verdicts].map(([edge, verdict]) => [edgeKey(edge), verdict]));
  const context: ExportContext = {
    nameOf: (node) => nameOf(view.context, node),
    columnsOf: (node) => schemaOf(view.columns, urnOf(node)),
    verdictOf: (input, output) =>
      byEnds.get(edgeKey({ upstream: urnOf(input), downstream: urnOf(output) })) ?? noVerdict,
    asOf,
    profile,
  };
  return read.flatMap((urn): ExportedNode[] => {
    const after = { shard: shardOf(nodeId(urn)), node: nodeId(urn) };
    const derivations = derivationsOf(edges.get(urn) ?? []);
    const isAlone = derivations.length === 0 && alone.has(urn) && view.columns.statedOf(urn).length > 0;
    const events = [
      ...exportEvents(context, derivations),
      ...(isAlone ? [exportDataset(context, nodeOf(urn))] : []),
      ...(jobs.get(urn) ?? []).map((job) => exportReading(context, job, nodeOf(urn))),
    ];
    return events.length > 0 ? [{ events, after }] : [];
  });
}

const producerOfScope = (scopeKey: string) => jobOfScope(scopeKey) ?? { namespace: 'tributary', name: scopeKey };

/** The jobs that read relations and report no output, by name. */
async function jobsReading(view: ScannedPage<ExportQuery>['view'], relations: readonly Urn[]) {
  const readers = await silentReaders(view, relations);
  const keys = await keysOf(view, readers);
  const named = readers.map(({ relation }, index) => ({ relation, job: producerOfScope(keys[index] ?? '') }));
  const distinct = new Map(named.map((one) => [JSON.stringify([one.relation, one.job]), one]));
  const sorted = sortedBy(distinct, ([key]) => key).map(([, one]) => one);
  return new Map(
    [...Map.groupBy(sorted, ({ relation }) => relation)].map(([urn, own]) => [urn, own.map(({ job }) => job)]),
  );
}

/** Those of some relations, under their current names, that feed nothing. What has further pages feeds many. */
async function withoutReaders(view: ScannedPage<ExportQuery>['view'], relations: readonly Urn[]): Promise<Set<Urn>> {
  const candidates = relations.filter(
    (urn) =>
      !isInlined(urn) &&
      currentName(urn, null, view.nodes.factsOf) === urn &&
      view.nodes.furtherPages('out', nodeId(urn), null).length === 0,
  );
  const expansion = await expand(view, { side: 'out', nodes: candidates });
  const feeding = new Set((await expansion.next(Number.POSITIVE_INFINITY))?.map(({ self }) => self));
  return new Set(candidates.filter((urn) => !feeding.has(urn)));
}

/** The list that all sources together tell; if it is not whole, the newest that other relations' lists would complete. */
function schemaOf({ of, statedOf }: ColumnsView, relation: Urn): RelationSchema | null {
  const known = of(relation);
  const columns = [...(known?.columns.values() ?? [])];
  if (known?.complete) return { columns, stars: [], complete: true };
  const open = sortedBy(statedOf(relation), ({ at }) => at).findLast(({ content }) => content.stars.length > 0);
  if (open) return open.content;
  return known && { columns, stars: [], complete: false };
}

const nameOf = ({ connectors }: QueryContext, node: Node) =>
  datasetOf('connectorId' in node ? (connectors.get(node.connectorId) ?? null) : null, node);

/** The admitted evidence as the producers state it, in the order of their names. */
function derivationsOf(edges: readonly EvaluatedEdge[]): Derivation[] {
  const named = edges.flatMap((edge) =>
    admittedOf(edge.evidence).map((evidence) => {
      const derivation = derivationOf(edge.upstream, edge.downstream, evidence);
      const { namespace, name } = derivation.producer;
      return { derivation, name: JSON.stringify([namespace, name]) };
    }),
  );
  const text = ({ derivation }: (typeof named)[number]) => JSON.stringify(derivation);
  return sortedBy(named, ({ name }) => name, text).map(({ derivation }) => derivation);
}

function derivationOf(upstream: Urn, downstream: Urn, { detail, scopeKey }: Evidence): Derivation {
  const input = nodeOf(upstream);
  return {
    output: nodeOf(downstream),
    inputs: [input],
    columns: (detail?.columns ?? []).map((mapping: EdgeColumn) => ({ ...mapping, input })),
    // An import settles it anew, by the lists that it finds.
    unresolved: detail?.unsettled ?? detail?.unresolved ?? [],
    producer: detail?.producer ?? producerOfScope(scopeKey),
    statementKind: detail?.statementKind ?? null,
    principal: detail?.principal ?? null,
    location: '',
  };
}
