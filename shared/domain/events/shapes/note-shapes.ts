import type { CollectionShapes } from '../../../contract/collection-projects.ts';
import type { StateCollection } from '../../../contract/messages.ts';
import { sortedBy } from '../../base/collections.ts';
import { inParallel } from '../../base/concurrency.ts';
import type { StoredRow } from '../store/store-batches.ts';
import { fieldsOf, type ProjectShapes, withSeen } from './shapes.ts';

export type ProjectPlace = Pick<StoredRow, 'workspace_id' | 'project_id'>;

/** What is stored of a project, with the number of its last write. */
export type StoredShapes = { readonly shapes: ProjectShapes; readonly revision: number };

export type ShapeStore = {
  /** As this process last read or wrote it, so that a batch without news costs no request. */
  readonly remembered: (place: ProjectPlace) => Promise<StoredShapes | null>;
  readonly read: (place: ProjectPlace) => Promise<StoredShapes | null>;
  /** Replaces what was found, in one conditional write. If another process came first, returns its shapes. */
  readonly replace: (
    place: ProjectPlace,
    found: StoredShapes | null,
    next: ProjectShapes,
  ) => Promise<StoredShapes | 'replaced'>;
};

export type ShapeNotes = {
  readonly shapes: ShapeStore;
  readonly queue: { readonly send: (message: StateCollection) => Promise<void> };
};

const projectsAtOnce = 8;

/** Notes the fields of stored events, and asks for a new statement of a project's lineage if they changed (C-COLLINEAGE-3). */
export async function noteShapes(ports: ShapeNotes, rows: readonly StoredRow[]): Promise<void> {
  const projects = Map.groupBy(rows, ({ workspace_id, project_id }) => `${workspace_id} ${project_id}`);
  await inParallel(projectsAtOnce, [...projects.values()], (own) => noteProject(ports, own));
}

async function noteProject({ shapes, queue }: ShapeNotes, rows: readonly StoredRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const { workspace_id, project_id } = first;
  const fields = fieldsOf(rows.map(({ line }): unknown => JSON.parse(line)));
  const [day = ''] = rows
    .map(({ receivedAt }) => receivedAt.slice(0, 10))
    .sort()
    .reverse();
  let found = await shapes.remembered(first);
  for (;;) {
    const noted = withSeen(found?.shapes ?? null, fields, day);
    if (noted === null) return;
    const other = await shapes.replace(first, found, noted.next);
    if (other !== 'replaced') found = other;
    else if (!noted.changed) return;
    else return queue.send({ version: 1, kind: 'state_collection', workspace_id, project_id, connector_id: null });
  }
}

/** The events of a project by name, as they are shown. */
export function describeShapes(stored: StoredShapes | null): Pick<CollectionShapes, 'written_on' | 'items'> {
  if (stored === null) return { written_on: null, items: [] };
  const { week, written, fields } = stored.shapes;
  const events = Map.groupBy(
    sortedBy(
      fields.values(),
      ({ event }) => event,
      ({ path }) => path,
    ),
    ({ event }) => event,
  );
  const items = [...events].map(([event, own]) => {
    const noted = own.map(({ path, types, seen }) => ({ path, types: [...types], weeks_ago: week - seen }));
    const weeks_ago = Math.min(...noted.map((one) => one.weeks_ago));
    return { event, weeks_ago, fields: noted.filter(({ path }) => path !== '') };
  });
  return { written_on: written, items };
}
