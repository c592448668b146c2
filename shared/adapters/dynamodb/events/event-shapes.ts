import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { lruCache } from '../../../domain/base/caching.ts';
import type { ProjectPlace, ShapeStore, StoredShapes } from '../../../domain/events/shapes/note-shapes.ts';
import { fieldKey } from '../../../domain/events/shapes/shapes.ts';
import { eventShapesKey } from '../keys/registry-keys.ts';
import { unchanged } from '../registry/registry-collection.ts';
import { type Item, putItem } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';

const Stored = v.object({ revision: v.number(), shapes: v.instance(Uint8Array) });
const Packed = v.object({
  week: v.number(),
  since: v.string(),
  written: v.string(),
  fields: v.array(v.tuple([v.string(), v.string(), v.array(v.string()), v.number()])),
});

const projectsRemembered = 200;

/** The fields of each project's events, one item a project: deflated, a thousand of them are some write units. */
export function shapeStore(table: Table): ShapeStore {
  const known = lruCache<string, StoredShapes>(projectsRemembered);
  const keyOf = ({ workspace_id, project_id }: ProjectPlace) => eventShapesKey(workspace_id, project_id);
  const read = async (place: ProjectPlace): Promise<StoredShapes | null> => {
    const Key = marshall(keyOf(place));
    const { Item } = await table.client.send(new GetItemCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return Item ? remember(place, shapesIn(Item)) : null;
  };
  const remember = (place: ProjectPlace, stored: StoredShapes): StoredShapes => {
    known.set(keyOf(place).pk, stored);
    return stored;
  };
  return {
    read,
    remembered: async (place) => known.get(keyOf(place).pk) ?? read(place),
    replace: async (place, found, next) => {
      const revision = (found?.revision ?? 0) + 1;
      const fields = [...next.fields.values()].map(({ event, path, types, seen }) => [event, path, types, seen]);
      const shapes = deflateRawSync(JSON.stringify({ ...next, fields }));
      const item = marshall({ ...keyOf(place), revision, shapes });
      const other = await putItem(table, item, unchanged(found));
      if (other !== null) return remember(place, shapesIn(other));
      remember(place, { revision, shapes: next });
      return 'replaced';
    },
  };
}

function shapesIn(item: Item): StoredShapes {
  const { revision, shapes: packed } = v.parse(Stored, unmarshall(item));
  const { fields, ...shapes } = v.parse(Packed, JSON.parse(inflateRawSync(packed).toString('utf8')));
  const named = fields.map(([event, path, types, seen]) => ({ event, path, types, seen }));
  return { revision, shapes: { ...shapes, fields: new Map(named.map((field) => [fieldKey(field), field])) } };
}
