import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { routes } from '../../shared/contract/api/routes.ts';
import { arrayPlaces } from '../../shared/contract/array-places.ts';

const schemaOf = (name: 'patchCheck' | 'putPolicy'): v.GenericSchema => {
  const { body } = routes[name] as { body: { schema: v.GenericSchema } };
  return body.schema;
};

describe('a list where an object belongs', () => {
  it('is found if a field is optional, which would be emptied (C-ERROR-2)', () => {
    expect(arrayPlaces(schemaOf('patchCheck'), { workspace_id: 'w', scope: [] })).toEqual(['/scope']);
    const policy = { workspace_id: 'w', connector_id: 'c', filters: [], fusion_weights: [] };
    expect(arrayPlaces(schemaOf('putPolicy'), policy)).toEqual(['/filters', '/fusion_weights']);
  });

  it('is no error if an alternative takes a list', () => {
    const schema = v.object({ a: v.union([v.object({}), v.array(v.object({ b: v.optional(v.object({})) }))]) });
    expect(arrayPlaces(schema, { a: [] })).toEqual([]);
    expect(arrayPlaces(schema, { a: [{ b: [] }] })).toEqual(['/a/0/b']);
    expect(arrayPlaces(v.variant('k', [v.object({ k: v.literal(1), c: v.object({}) })]), { k: 1, c: [] })).toEqual([
      '/c',
    ]);
  });
});
