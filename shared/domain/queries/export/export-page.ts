import type { ExportPage } from '../../../contract/export.ts';
import { scanStart } from '../../traversal/scan-graph.ts';
import { readExportCursor, writeExportCursor } from './cursor.ts';
import { type ExportPorts, type ExportRequest, exportGraph } from './export-graph.ts';

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
export async function exportPage(ports: ExportPorts, request: PageRequest): Promise<ExportPage> {
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
  for await (const nodes of exportGraph(ports, { ...request, asOf: place.asOf, from }, reading)) {
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
export async function* exportLines(ports: ExportPorts, request: Omit<ExportRequest, 'from'>): AsyncGenerator<string> {
  const reading = { nodesPerPage: () => nodesRead, ahead: pagesAhead };
  for await (const nodes of exportGraph(ports, { ...request, from: scanStart }, reading)) {
    const lines = nodes.flatMap(({ events }) => events.map((event) => `${JSON.stringify(event)}\n`));
    if (lines.length > 0) yield lines.join('');
  }
}
