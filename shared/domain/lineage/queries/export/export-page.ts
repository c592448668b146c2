import * as v from 'valibot';
import type { ExportPage } from '../../../../contract/export.ts';
import { type BoundList, readCursor, writeCursor } from '../../../base/paging/cursor.ts';
import { type NodeId, shardCount } from '../../graph/ids.ts';
import type { GraphQuery } from '../../traversal/ports.ts';
import { scanStart } from '../../traversal/scan-graph.ts';
import { type ExportRequest, exportGraph } from './export-graph.ts';

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
export async function exportPage(query: GraphQuery<'details'>, request: PageRequest): Promise<ExportPage> {
  const { secret, limit } = request;
  const start = { asOf: request.now, from: scanStart, skip: 0 };
  const place = readExportCursor(secret, request, request.cursor) ?? start;
  const events: ExportPage['events'] = [];
  let skipped = 0;
  let { from, skip } = place;
  const page = (next: string | null) => pageOf({ as_of: place.asOf, events, skipped_edges: skipped }, next);
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
      skipped += node.skippedEdges;
      from = node.after;
      skip = 0;
    }
  }
  return page(null);
}

const pageOf = (
  shown: Pick<ExportPage, 'as_of' | 'events' | 'skipped_edges'>,
  next_cursor: string | null,
): ExportPage => ({
  format: 'openlineage',
  as_of: shown.as_of,
  events: shown.events,
  next_cursor,
  truncated: next_cursor !== null,
  skipped_edges: shown.skipped_edges,
});

/** The whole export as NDJSON, made as it is read. */
export async function* exportLines(
  query: GraphQuery<'details'>,
  request: Omit<ExportRequest, 'from'>,
): AsyncGenerator<string> {
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
