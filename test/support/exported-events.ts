import { exportLines } from '../../shared/domain/lineage/queries/export/export-page.ts';
import { openGraphWithPast } from '../../shared/domain/lineage/traversal/open-graph.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import type { LineagePlace } from './lineage-world.ts';

/** The events of a whole export. */
export async function exportedEvents(place: Pick<LineagePlace, 'workspace'>): Promise<Record<string, unknown>[]> {
  const reading = await openGraphWithPast(queriesPorts(), place.workspace, new Date());
  const request = { workspace: place.workspace, connectorId: null, profile: 'job', asOf: reading.context.now } as const;
  let text = '';
  for await (const lines of exportLines(reading, request)) text += lines;
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}
