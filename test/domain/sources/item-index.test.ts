import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPointer, valueAt } from '../../../shared/contract/field-errors.ts';
import type { DeclaredKind } from '../../../shared/contract/vocabulary.ts';
import { itemIndexOf, statementTextOf } from '../../../shared/domain/lineage/sources/item-index.ts';
import { readDeclaredBody } from '../../../shared/domain/lineage/sources/read-body.ts';
import { bodies } from './any-document.ts';

const placesOfItems: Readonly<Record<DeclaredKind, readonly string[][]>> = {
  dbt_manifest: ['nodes', 'sources', 'exposures'].map((map) => ['manifest', map]),
  sqlmesh_project: ['models', 'external_models'].map((list) => ['project', list]),
  datahub_catalog: [['export', 'lineage'], ['export', 'edges'], ['export']],
};

/** Statements of other entries in a manifest are not read. */
const relations = new Set<unknown>(['model', 'seed', 'snapshot']);

it('reports what is read an item at a time the places and statements that the whole document has', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async ({ kind, body }) => {
      const text = JSON.stringify(body);
      const whole: unknown = JSON.parse(text);
      const read = await readDeclaredBody(kind, [Buffer.from(text)]);
      if (!read.ok) return;
      const [inWhole, inRead] = [itemIndexOf(kind, whole), itemIndexOf(kind, read.body)];
      const places = placesOfItems[kind].flatMap((keys) =>
        Object.keys(Object(valueAt(whole, jsonPointer(...keys)))).map((key) => jsonPointer(...keys, key)),
      );
      for (const place of places) {
        expect(inRead(place)).toBe(inWhole(place));
        const mayState = kind !== 'dbt_manifest' || relations.has(valueAt(whole, `${place}/resource_type`));
        if (mayState) expect(statementTextOf(kind, read.body, place)).toEqual(statementTextOf(kind, whole, place));
      }
    }),
  );
});

it('cuts a long statement between characters', () => {
  const body = { job: { facets: { sql: { query: `a${'\u{1F600}'.repeat(10_000)}` } } } };
  const { text = '', truncated } = statementTextOf('openlineage_event', body, '') ?? {};
  expect([text.isWellFormed(), [...text].length, truncated]).toEqual([true, 10_000, true]);
});
