import type { CollectionShapes } from '../../../contract/collection-projects.ts';
import { isStorable } from '../../../contract/fields.ts';
import { limits } from '../../../contract/limits.ts';
import { sortedBy } from '../../base/collections.ts';
import { isJsonObject } from '../../base/json/read-json.ts';
import type { ProjectionQueue } from '../../lineage/ingest/deliveries/ports.ts';
import type { StoredRow } from '../store/store-batches.ts';

/** The JSON types of a field of an event, and the last week in which a stored event had it. */
export type Field = {
  readonly event: string;
  /** Such as `properties.total`; empty for the event itself. */
  readonly path: string;
  /** Sorted; empty if it was only null. */
  readonly types: readonly string[];
  readonly seen: number;
};

/** By event and path. */
export type Fields = ReadonlyMap<string, Field>;

/** The fields of a project's events. Weeks in which a project sends nothing are not counted. */
export type ProjectShapes = {
  readonly week: number;
  /** The day on which the week began. */
  readonly since: string;
  /** The day of the last write. */
  readonly written: string;
  readonly fields: Fields;
};

/** What the events of a batch had, in the week that it is counted in. */
type SeenField = Omit<Field, 'seen'>;

const containers = ['properties', 'context', 'traits', 'set_once'] as const;
const bounds = limits.collectionShapes;

/** The fields of some events: names and types, never a value. */
export function fieldsOf(events: Iterable<unknown>): readonly SeenField[] {
  const found = new Map<string, Map<string, Set<string>>>();
  for (const event of events) {
    if (!isJsonObject(event)) continue;
    const name = nameOf(event);
    const paths = found.get(name) ?? new Map<string, Set<string>>([['', new Set()]]);
    found.set(name, paths);
    for (const container of containers) noteFields(paths, event[container], container, 1);
  }
  return [...found].flatMap(([event, paths]) =>
    [...paths].map(([path, types]) => ({ event, path, types: [...types].sort() })),
  );
}

/** Events without a name are called by their type: no custom name begins with `$`. */
const nameOf = ({ event, type }: Readonly<Record<string, unknown>>): string =>
  typeof event === 'string' ? event : `$${String(type)}`;

function noteFields(paths: Map<string, Set<string>>, value: unknown, path: string, depth: number): void {
  if (!isJsonObject(value)) return;
  for (const key of Object.keys(value)) {
    const inner = value[key];
    const place = `${path}.${key}`;
    if (key === '' || place.length > bounds.path || !isStorable(key)) continue;
    const types = paths.get(place) ?? new Set<string>();
    paths.set(place, types);
    if (inner !== null && inner !== undefined) types.add(Array.isArray(inner) ? 'array' : typeof inner);
    if (depth < bounds.depth) noteFields(paths, inner, place, depth + 1);
  }
}

export const fieldKey = ({ event, path }: SeenField): string => JSON.stringify([event, path]);

/** The fields of both, with all types and the later week: the order of merges does not matter. */
export function mergeFields(known: Fields, more: Iterable<Field>): Fields {
  const merged = new Map(known);
  for (const field of more) {
    const key = fieldKey(field);
    const before = merged.get(key) ?? field;
    const types = [...new Set([...before.types, ...field.types])].sort();
    merged.set(key, { ...field, types, seen: Math.max(before.seen, field.seen) });
  }
  return merged;
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/** A field is gone after four whole weeks without it. One week more, because fields may be written a week late. */
const goneAfterWeeks = 5;

/**
 * Adds a batch to the shapes; null if there is nothing to write. A new field or type is written at once. That a
 * known one is still there is written once a week, and at most once a day in a project, unless the next week began.
 */
export function withSeen(
  before: ProjectShapes | null,
  found: readonly SeenField[],
  day: string,
): { readonly next: ProjectShapes; readonly changed: boolean } | null {
  const known = before ?? { week: 0, since: '', written: '', fields: new Map<string, Field>() };
  const isNextWeek = before === null || Date.parse(day) - Date.parse(known.since) >= weekMs;
  const week = known.week + (isNextWeek ? 1 : 0);
  let room = bounds.fields - known.fields.size;
  const admitted = found.filter((field) => known.fields.has(fieldKey(field)) || room-- > 0);
  const oldest = Math.max(0, ...admitted.map((field) => ageOf(known.fields, field, week)));
  if (oldest === 0 || (oldest === 1 && known.written >= day)) return null;
  const merged = mergeFields(
    known.fields,
    admitted.map((field) => ({ ...field, seen: week })),
  );
  const fields = new Map([...merged].filter(([, { seen }]) => week - seen <= goneAfterWeeks));
  const written = known.written > day ? known.written : day;
  const next = { week, since: isNextWeek ? day : known.since, written, fields };
  return { next, changed: isNextWeek || JSON.stringify(columnsOf(next)) !== JSON.stringify(columnsOf(known)) };
}

/** The weeks since a field was last written with these types. */
function ageOf(known: Fields, field: SeenField, week: number): number {
  const written = known.get(fieldKey(field));
  const isNew = !written || field.types.some((type) => !written.types.includes(type));
  return isNew ? Number.POSITIVE_INFINITY : week - written.seen;
}

/** The fields of all events by path: names that differ only in case are one column. */
export function columnsOf({
  fields,
}: Pick<ProjectShapes, 'fields'>): { readonly name: string; readonly type: string | null }[] {
  const named = [...fields.values()].filter(({ path }) => path !== '');
  const columns = Map.groupBy(
    sortedBy(named, ({ path }) => path),
    ({ path }) => path.toLowerCase(),
  );
  return [...columns.values()].map((same) => {
    const types = [...new Set(same.flatMap((one) => one.types))].sort();
    return { name: same[0]?.path ?? '', type: types.length > 0 ? types.join(' | ') : null };
  });
}

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

type Noting = { readonly shapes: Omit<ShapeStore, 'read'>; readonly queue: ProjectionQueue };

/** Notes the fields of stored events, and asks for a new statement of a project's lineage if they changed (C-COLLINEAGE-3). */
export async function noteShapes(noting: Noting, rows: readonly StoredRow[]): Promise<void> {
  const projects = Map.groupBy(rows, ({ workspace_id, project_id }) => `${workspace_id} ${project_id}`);
  await Promise.all([...projects.values()].map((own) => noteProject(noting, own)));
}

async function noteProject({ shapes, queue }: Noting, [first, ...others]: readonly StoredRow[]): Promise<void> {
  if (first === undefined) return;
  const rows = [first, ...others];
  const fields = fieldsOf(rows.map(({ line }): unknown => JSON.parse(line)));
  const [day = ''] = rows
    .map(({ receivedAt }) => receivedAt.slice(0, 10))
    .sort()
    .reverse();
  for (let found = await shapes.remembered(first); ; ) {
    const noted = withSeen(found?.shapes ?? null, fields, day);
    const other = noted && (await shapes.replace(first, found, noted.next));
    const { workspace_id, project_id } = first;
    if (other === 'replaced' && noted?.changed)
      await queue.send({ version: 1, kind: 'state_collection', workspace_id, project_id, connector_id: null });
    if (other === null || other === 'replaced') return;
    found = other;
  }
}

/** The events of a project by name, as they are shown. */
export function describeShapes(stored: StoredShapes | null): Pick<CollectionShapes, 'written_on' | 'items'> {
  const { week = 0, written = null, fields = new Map<string, Field>() } = stored?.shapes ?? {};
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
  return { written_on: written, items };
}
