import type * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { jsonSchema } from '../../shared/contract/api/openapi-schema.ts';
import * as formats from '../../shared/contract/document-formats.ts';
import { datahubItems } from '../../shared/domain/lineage/sources/datahub/export.ts';
import { dbtItems, Metadata } from '../../shared/domain/lineage/sources/dbt/manifest.ts';
import { sqlmeshItems } from '../../shared/domain/lineage/sources/sqlmesh/export.ts';

type Described = { readonly properties?: Readonly<Record<string, unknown>>; readonly items?: unknown };

const described = (schema: unknown): Described => (typeof schema === 'object' && schema !== null ? schema : {});
const namesOf = (schema: unknown): string[] => Object.keys(described(schema).properties ?? {}).sort();

/** The names that a reader looks at. */
function readBy(schema: v.GenericSchema | undefined): Described {
  if (schema === undefined) throw new Error('there is no such reader');
  return described(jsonSchema(schema, 'input'));
}

describe('the API description names what is read', () => {
  const lazy = dbtItems['nodes'] as unknown as { readonly getter: (value: unknown) => v.GenericSchema };
  const cases: readonly (readonly [string, unknown, v.GenericSchema | undefined])[] = [
    ['a SQLMesh model', formats.sqlmeshModel, sqlmeshItems['models']],
    ['an external model', formats.sqlmeshExternal, sqlmeshItems['external_models']],
    ['an entry of DataHub', formats.datahubEntry, datahubItems['lineage']],
    ['a dataset of DataHub', formats.datahubDataset, datahubItems['datasets']],
    ['a chart or dashboard of DataHub', formats.datahubExposure, datahubItems['exposures']],
    ['a dbt model', formats.dbtModel, lazy.getter({ resource_type: 'model' })],
    ['a dbt source', formats.dbtSource, dbtItems['sources']],
    ['the metadata of dbt', described(formats.dbtFormat['properties'])['metadata' as never], Metadata],
  ];
  it.each(cases)('of %s', (_, documented, reader) => {
    expect(namesOf(documented).length).toBeGreaterThan(1);
    expect(namesOf(documented)).toEqual(namesOf(readBy(reader)));
  });

  it('of columns that consist of columns', () => {
    const read = described(readBy(datahubItems['lineage']).properties?.['fineGrainedLineages']);
    const [items] = [read, ...((read as { anyOf?: unknown[] }).anyOf ?? []).map(described)].flatMap(
      (one) => one.items ?? [],
    );
    expect(namesOf(formats.fineGrainedLineage)).toEqual(namesOf(items));
  });
});
