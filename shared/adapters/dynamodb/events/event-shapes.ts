import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { lruCache } from '../../../domain/base/caching.ts';
import type { ProjectPlace, ShapeStore, StoredShapes } from '../../../domain/events/shapes/note-shapes.ts';
import { fieldKey } from '../../../domain/events/shapes/shapes.ts';
import { eventShapesKey } from '../keys/registry-keys.ts';
import { announcementPut } from '../registry/announcements.ts';
import { unchanged } from '../registry/registry-collection.ts';
import { type Item, putItem } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';
import { transact } from '../requests/transact.ts';

const Stored = v.object({ revision: v.number(), shapes: v.instance(Uint8Array) });
const types = v.array(v.string());
const place = { event: v.string(), path: v.string(), types };
const Field = v.object({ ...place, seen: v.number(), trusted: v.optional(v.boolean(), false) });
const kind = v.picklist(['new_event', 'new_field', 'new_type', 'gone']);
const Shapes = v.object({
  week: v.number(),
  since: v.string(),
  written: v.string(),
  fields: v.array(Field),
  changes: v.optional(v.array(v.object({ ...place, on: v.string(), kind, events: v.number() })), []),
  leftOutOn: v.optional(v.nullable(v.string()), null),
});

const projectsRemembered = 200;

const keyOf = ({ workspace_id, project_id }: ProjectPlace) => eventShapesKey(workspace_id, project_id);

/** Reads the fields of a project's events. */
export const shapeReader =
  (table: Table): ShapeStore['read'] =>
  async (place) => {
    const Key = marshall(keyOf(place));
    const { Item } = await table.client.send(new GetItemCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return Item ? shapesIn(Item) : null;
  };

/**
 * The fields of each project's events, one item a project: deflated, a thousand of them are some write units.
 * @param announced the table for notifications
 */
export function shapeStore(table: Table, announced: Table | null = null): ShapeStore {
  const known = lruCache<string, StoredShapes>(projectsRemembered);
  const stored = shapeReader(table);
  const read: ShapeStore['read'] = async (place) => {
    const found = await stored(place);
    return found && remember(place, found);
  };
  const remember = (place: ProjectPlace, stored: StoredShapes): StoredShapes => {
    known.set(keyOf(place).pk, stored);
    return stored;
  };
  return {
    read,
    remembered: async (place) => known.get(keyOf(place).pk) ?? read(place),
    replace: async (place, found, next, notification = null) => {
      const revision = (found?.revision ?? 0) + 1;
      const shapes = deflateRawSync(JSON.stringify({ ...next, fields: [...next.fields.values()] }));
      const Item = marshall({ ...keyOf(place), revision, shapes });
      const put = { Put: { TableName: table.name, Item, ...unchanged(found) } };
      // A transaction costs twice as much.
      const isWritten =
        announced && notification
          ? await transact(table, [put, announcementPut(announced, place.workspace_id, notification)])
          : (await putItem(table, Item, unchanged(found))) === null;
      if (!isWritten) return read(place);
      remember(place, { revision, shapes: next });
      return 'replaced';
    },
  };
}

function shapesIn(item: Item): StoredShapes {
  const { revision, shapes: packed } = v.parse(Stored, unmarshall(item));
  const { fields, ...shapes } = v.parse(Shapes, JSON.parse(inflateRawSync(packed).toString('utf8')));
  return { revision, shapes: { ...shapes, fields: new Map(fields.map((field) => [fieldKey(field), field])) } };
}
