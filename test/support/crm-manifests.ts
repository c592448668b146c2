import { randomUUID } from 'node:crypto';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import type { LineagePlace } from './lineage-world.ts';

/** Pushes a whole manifest of the linked project `crm`. */
export const pushManifest = (place: LineagePlace, manifest: object) =>
  place.declare('/v1/lineage/dbt/manifest', {
    ...{ manifest, completeness: 'complete', project_id: 'crm', source_event_key: randomUUID() },
  });

/** Compares a branch's manifest with the one that was pushed. */
export async function diffManifest(place: LineagePlace, manifest: object): Promise<LineageDiff> {
  return (await place.post('/v1/lineage/diff', { project_id: 'crm', manifest })).json;
}
