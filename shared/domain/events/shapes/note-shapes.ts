import type { CollectionShapes } from '../../../contract/collection-projects.ts';
import type { Notification } from '../../../contract/messages.ts';
import type { TrackingPlan } from '../../../contract/tracking-plan.ts';
import { sortedBy } from '../../base/collections.ts';
import type { ProjectionQueue } from '../../lineage/ingest/deliveries/ports.ts';
import type { StoredRow } from '../store/store-batches.ts';
import { plannedFields } from './planned-fields.ts';
import { fieldKey, fieldsOf, nothing, type ProjectShapes, type SeenField, withoutName, withSeen } from './shapes.ts';

export type ProjectPlace = Pick<StoredRow, 'workspace_id' | 'project_id'>;

/** What is stored of a project, with the number of its last write. */
export type StoredShapes = { readonly shapes: ProjectShapes; readonly revision: number };

export type ShapeStore = {
  /** As this process last read or wrote it, so that a batch without news costs no request. */
  readonly remembered: (place: ProjectPlace) => Promise<StoredShapes | null>;
  readonly read: (place: ProjectPlace) => Promise<StoredShapes | null>;
  /** Replaces the shapes and keeps the notification in one conditional write. If another process came first, returns its shapes. */
  readonly replace: (
    place: ProjectPlace,
    found: StoredShapes | null,
    next: ProjectShapes,
    notification?: Notification | null,
  ) => Promise<StoredShapes | null | 'replaced'>;
};

type Noting = {
  readonly shapes: Omit<ShapeStore, 'read'>;
  readonly queue: ProjectionQueue;
  readonly trackingPlan: (place: ProjectPlace) => Promise<TrackingPlan | null>;
};

/** Notes the fields of stored events, and asks for a new statement of a project's lineage if they changed (C-COLLINEAGE-3). */
export async function noteShapes(noting: Noting, rows: readonly StoredRow[]): Promise<void> {
  const projects = Map.groupBy(rows, ({ workspace_id, project_id }) => `${workspace_id} ${project_id}`);
  await Promise.all([...projects.values()].map((own) => noteProject(noting, own)));
}

async function noteProject(
  { shapes, queue, trackingPlan }: Noting,
  [first, ...others]: readonly StoredRow[],
): Promise<void> {
  if (first === undefined) return;
  const rows = [first, ...others];
  const fields = fieldsOf(rows.map(({ line }): unknown => JSON.parse(line)));
  const [day = ''] = rows
    .map(({ receivedAt }) => receivedAt.slice(0, 10))
    .sort()
    .reverse();
  let found = await shapes.remembered(first);
  const isKnown = (field: SeenField) => field.trusted || found?.shapes.fields.has(fieldKey(field));
  const plan = fields.every(isKnown) ? null : await trackingPlan(first);
  const planned = plan && plannedFields(plan);
  const seen = fields.map((field) => (planned?.has(fieldKey(field)) ? { ...field, trusted: true } : field));
  for (;;) {
    const noted = withSeen(found?.shapes ?? null, seen, day);
    if (noted === null) return;
    const { workspace_id, project_id } = first;
    const other = await shapes.replace({ workspace_id, project_id }, found, noted.next);
    if (other === 'replaced' && noted.changed)
      await queue.send({ version: 1, kind: 'state_collection', workspace_id, project_id, connector_id: null });
    if (other === 'replaced') return;
    found = other;
  }
}

/** Removes what names an erased person from the fields of a project's events, and asks for a new statement of its lineage. */
export async function forgetName(
  { shapes, queue }: { shapes: ShapeStore; queue: ProjectionQueue },
  place: ProjectPlace,
  id: string,
): Promise<boolean> {
  for (let found = await shapes.read(place); ; ) {
    const next = found && withoutName(found.shapes, id);
    if (next === null) return false;
    const other = await shapes.replace(place, found, next);
    if (other === 'replaced') break;
    found = other;
  }
  await queue.send({ version: 1, kind: 'state_collection', ...place, connector_id: null });
  return true;
}

/** The events of a project by name, as they are shown. */
export function describeShapes(
  stored: StoredShapes | null,
): Pick<CollectionShapes, 'written_on' | 'items' | 'changes' | 'left_out_on'> {
  const { week, written, fields, changes, leftOutOn } = stored?.shapes ?? nothing;
  const sorted = sortedBy(
    fields.values(),
    ({ event }) => event,
    ({ path }) => path,
  );
  const items = [...Map.groupBy(sorted, ({ event }) => event)].map(([event, own]) => ({
    event,
    weeks_ago: week - Math.max(...own.map(({ seen }) => seen)),
    fields: own.filter(({ path }) => path !== '').map(({ path, types }) => ({ path, types: [...types] })),
  }));
  return {
    written_on: written || null,
    left_out_on: leftOutOn,
    items,
    changes: changes.map((one) => ({ ...one, types: [...one.types] })),
  };
}
