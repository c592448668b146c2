import type { CollectionShapes } from '../../../contract/collection-projects.ts';
import { isStorable } from '../../../contract/fields.ts';
import { limits } from '../../../contract/limits.ts';
import { findOrAdd, sortedBy } from '../../base/collections.ts';
import { isJsonObject } from '../../base/json/read-json.ts';
import { foldedNames, isPattern, withoutIds } from './fold-names.ts';

/** The JSON types of a field of an event, and the last week with a stored event that had it. */
export type Field = {
  readonly event: string;
  /** Such as `properties.total`; empty for the event itself. */
  readonly path: string;
  /** Sorted; empty if it was only null. */
  readonly types: readonly string[];
  readonly seen: number;
  /** Whether an event with a server key had it, or a tracking plan names it: anybody may send the others. */
  readonly trusted: boolean;
};

/** What changed about a field; `path` is empty for the event itself. */
type FieldChange = Omit<CollectionShapes['changes'][number], 'types'> & Pick<Field, 'types'>;

/** By event and path. */
export type Fields = ReadonlyMap<string, Field>;

/** The fields of a project's events. Weeks without events are not counted. */
export type ProjectShapes = {
  readonly week: number;
  /** The day on which the week began. */
  readonly since: string;
  /** The day of the last write. */
  readonly written: string;
  readonly fields: Fields;
  /** Newest first. */
  readonly changes: readonly FieldChange[];
  /** The last day on which a field or an event had no room. */
  readonly leftOutOn: string | null;
};

/** What the events of a batch had, and how many of them. */
export type SeenField = Omit<Field, 'seen'> & { readonly events: number };

const containers = ['properties', 'context', 'traits', 'set_once'] as const;
const bounds = limits.collectionShapes;
export const deepestField = bounds.depth;

type Found = { readonly types: Set<string>; events: number };

/** The fields of some events: names and types, never a value, nor what identifies somebody in a name. */
export function fieldsOf(events: Iterable<unknown>): readonly SeenField[] {
  const found = new Map<string, { readonly paths: Map<string, Found>; trusted: boolean }>();
  for (const event of events) {
    if (!isJsonObject(event)) continue;
    const name = nameOf(event);
    const own = findOrAdd(found, name, () => ({ paths: new Map(), trusted: false }));
    own.trusted ||= event['trusted'] === true;
    foundAt(own.paths, '').events++;
    for (const container of containers) noteFields(own.paths, event[container], container, 1);
  }
  return [...found].flatMap(([event, { paths, trusted }]) =>
    [...paths].map(([path, { types, events }]) => ({ event, path, types: [...types].sort(), trusted, events })),
  );
}

const foundAt = (paths: Map<string, Found>, path: string): Found =>
  findOrAdd(paths, path, () => ({ types: new Set(), events: 0 }));

/** Events without a name are called by their type: no custom name begins with `$`. */
const nameOf = ({ event, type }: Readonly<Record<string, unknown>>): string =>
  typeof event === 'string' ? withoutIds(event) : `$${String(type)}`;

function noteFields(paths: Map<string, Found>, value: unknown, path: string, depth: number): void {
  if (!isJsonObject(value)) return;
  for (const key of Object.keys(value)) {
    const inner = value[key];
    const place = `${path}.${withoutIds(key)}`;
    if (key === '' || place.length > bounds.path || !isStorable(key)) continue;
    const found = foundAt(paths, place);
    found.events++;
    if (inner !== null && inner !== undefined) found.types.add(Array.isArray(inner) ? 'array' : typeof inner);
    if (depth < bounds.depth) noteFields(paths, inner, place, depth + 1);
  }
}

export const fieldKey = ({ event, path }: Pick<Field, 'event' | 'path'>): string => JSON.stringify([event, path]);

/** The fields of both, with all types and the later week: the order of merges does not matter. */
export function mergeFields(known: Fields, more: Iterable<Field>): Fields {
  const merged = new Map(known);
  for (const field of more) {
    const key = fieldKey(field);
    const before = merged.get(key) ?? field;
    const types = [...new Set([...before.types, ...field.types])].sort();
    const { event, path, seen } = field;
    const trusted = before.trusted || field.trusted;
    merged.set(key, { event, path, types, seen: Math.max(before.seen, seen), trusted });
  }
  return merged;
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/** A field is gone after four whole weeks without it. One week more, because fields may be written a week late. */
const goneAfterWeeks = 5;

export const nothing: ProjectShapes = {
  week: 0,
  since: '',
  written: '',
  fields: new Map(),
  changes: [],
  leftOutOn: null,
};

/**
 * Adds a batch to the shapes; null if there is nothing to write. A new field or type is written at once. That a
 * known one is still there is written once a week, and at most once a day in a project, unless the next week began.
 */
export function withSeen(
  before: ProjectShapes | null,
  seen: readonly SeenField[],
  day: string,
): { readonly next: ProjectShapes; readonly changed: boolean } | null {
  const known = before ?? nothing;
  const isNextWeek = before === null || Date.parse(day) - Date.parse(known.since) >= weekMs;
  const week = known.week + (isNextWeek ? 1 : 0);
  const { fields: earlier, found } = folded(known.fields, seen);
  const admitted = admittedOf(earlier, found);
  const leftOutOn = admitted.length < found.length && (known.leftOutOn ?? '') < day ? day : known.leftOutOn;
  const oldest = Math.max(0, ...admitted.map((field) => ageOf(earlier, field, week)));
  const isNews = leftOutOn !== known.leftOutOn || earlier.size < known.fields.size;
  if (!isNews && (oldest === 0 || (oldest === 1 && known.written >= day))) return null;
  const merged = mergeFields(
    earlier,
    admitted.map((field) => ({ ...field, seen: week })),
  );
  const fields = new Map([...merged].filter(([, { seen }]) => week - seen <= goneAfterWeeks));
  const gone = [...merged.values()].filter((field) => !fields.has(fieldKey(field)));
  const latest = [
    ...changesOf(earlier, admitted, day),
    ...gone.map((field) => changeOf('gone', { ...field, events: 0 }, day)),
  ];
  const next = {
    week,
    since: isNextWeek ? day : known.since,
    written: known.written > day ? known.written : day,
    fields,
    // Those of the first batch are no changes.
    changes: before === null ? [] : [...latest, ...known.changes].slice(0, bounds.changes),
    leftOutOn,
  };
  return { next, changed: isNextWeek || JSON.stringify(columnsOf(next)) !== JSON.stringify(columnsOf(known)) };
}

/** Both with one field for many that differ in their digits only, or for those of events that do. */
function folded(known: Fields, seen: readonly SeenField[]) {
  if (seen.every((field) => known.has(fieldKey(field)))) return { fields: known, found: seen };
  const all = [...known.values(), ...seen];
  const eventOf = foldedNames(all.map(({ event }) => event));
  const paths = Map.groupBy(all, ({ event }) => eventOf(event));
  const pathsOf = new Map([...paths].map(([event, own]) => [event, foldedNames(own.map(({ path }) => path))]));
  const fold = <F extends Field | SeenField>(field: F): F => {
    const event = eventOf(field.event);
    return { ...field, event, path: pathsOf.get(event)?.(field.path) ?? field.path };
  };
  const found = new Map<string, SeenField>();
  for (const field of seen.map(fold)) {
    const same = found.get(fieldKey(field));
    const types = [...new Set([...field.types, ...(same?.types ?? [])])].sort();
    const trusted = field.trusted || same?.trusted === true;
    found.set(fieldKey(field), { ...field, types, trusted, events: field.events + (same?.events ?? 0) });
  }
  return { fields: mergeFields(new Map(), [...known.values()].map(fold)), found: [...found.values()] };
}

/** The fields that there is room for. Those that are not trusted have a part of it, so that strangers cannot use it up. */
function admittedOf(known: Fields, found: readonly SeenField[]): readonly SeenField[] {
  const kindOf = ({ path }: { readonly path: string }) => (path === '' ? 'events' : 'fields');
  const left = {
    events: { all: bounds.events, open: bounds.events * bounds.openShare },
    fields: { all: bounds.fields, open: bounds.fields * bounds.openShare },
  };
  const take = (field: Pick<Field, 'path' | 'trusted'>): boolean => {
    const room = left[kindOf(field)];
    const isAdmitted = room.all > 0 && (field.trusted || room.open > 0);
    if (!isAdmitted) return false;
    room.all--;
    if (!field.trusted) room.open--;
    return true;
  };
  for (const field of known.values()) take(field);
  const byTrust = sortedBy(found, ({ trusted }) => (trusted ? 0 : 1));
  return byTrust.filter((field) => known.has(fieldKey(field)) || take(field));
}

const changeOf = (
  kind: FieldChange['kind'],
  { event, path, types, events }: Omit<SeenField, 'trusted'>,
  on: string,
): FieldChange => ({
  on,
  kind,
  event,
  path,
  types,
  events,
});

/** What a batch changed: new events, new fields of known events, and types that a field did not have. */
function changesOf(known: Fields, found: readonly SeenField[], day: string): readonly FieldChange[] {
  return found.flatMap((field) => {
    const before = known.get(fieldKey(field));
    if (before === undefined) {
      if (field.path === '') return [changeOf('new_event', field, day)];
      return known.has(fieldKey({ event: field.event, path: '' })) ? [changeOf('new_field', field, day)] : [];
    }
    const types = field.types.filter((type) => !before.types.includes(type));
    return types.length > 0 && before.types.length > 0 ? [changeOf('new_type', { ...field, types }, day)] : [];
  });
}

/** The weeks since a field was last written with these types. */
function ageOf(known: Fields, field: SeenField, week: number): number {
  const written = known.get(fieldKey(field));
  const isNew =
    !written || (field.trusted && !written.trusted) || field.types.some((type) => !written.types.includes(type));
  return isNew ? Number.POSITIVE_INFINITY : week - written.seen;
}

/** Without the fields and changes that hold a text in a name; null if there is none. */
export function withoutName(shapes: ProjectShapes, text: string): ProjectShapes | null {
  const has = ({ event, path }: Pick<Field, 'event' | 'path'>) => event.includes(text) || path.includes(text);
  const fields = new Map([...shapes.fields].filter(([, field]) => !has(field)));
  const changes = shapes.changes.filter((change) => !has(change));
  const isSame = fields.size === shapes.fields.size && changes.length === shapes.changes.length;
  return isSame ? null : { ...shapes, fields, changes };
}

/** The fields of all events by path: names that differ only in case are one column. */
export function columnsOf({ fields }: Pick<ProjectShapes, 'fields'>) {
  const named = [...fields.values()].filter(({ path }) => path !== '' && !isPattern(path));
  const columns = Map.groupBy(
    sortedBy(named, ({ path }) => path),
    ({ path }) => path.toLowerCase(),
  );
  return [...columns.values()].map((same) => {
    const types = [...new Set(same.flatMap((one) => one.types))].sort();
    return { name: same[0]?.path ?? '', type: types.length > 0 ? types.join(' | ') : null };
  });
}
