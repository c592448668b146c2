import { Ajv2020 } from 'ajv/dist/2020.js';
import type * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { jsonSchema } from '../../shared/contract/api/openapi-schema.ts';
import * as formats from '../../shared/contract/document-formats.ts';
import { DatahubAcquisition, DbtAcquisition, SqlmeshAcquisition } from '../../shared/contract/lineage.ts';
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

describe('the API description demands what the service demands of a document', () => {
  const body = { workspace_id: 'w', connector_id: 'c' };
  const complete = { ...body, completeness: 'complete' };
  const project = { schema: 'service.sqlmesh-project@v1', environment: 'prod' };
  const manifest = { nodes: {}, sources: {} };
  const cases: readonly (readonly [string, v.GenericSchema, object, boolean])[] = [
    ['a SQLMesh project', SqlmeshAcquisition, { ...body, project }, true],
    ['no schema', SqlmeshAcquisition, { ...body, project: { environment: 'prod' } }, false],
    ['no environment', SqlmeshAcquisition, { ...body, project: { schema: project.schema } }, false],
    ['a blank environment', SqlmeshAcquisition, { ...body, project: { ...project, environment: ' ' } }, false],
    [
      'a complete project',
      SqlmeshAcquisition,
      { ...complete, project_id: 'p', project: { ...project, models: [] } },
      true,
    ],
    ['a complete project without models', SqlmeshAcquisition, { ...complete, project_id: 'p', project }, false],
    [
      'a complete project without an id',
      SqlmeshAcquisition,
      { ...complete, project: { ...project, models: [] } },
      false,
    ],
    ['a part of a manifest', DbtAcquisition, { ...body, manifest: {} }, true],
    ['nodes that are no map', DbtAcquisition, { ...body, manifest: { nodes: [] } }, false],
    ['a complete manifest', DbtAcquisition, { ...complete, project_id: 'p', manifest }, true],
    [
      'a complete manifest without sources',
      DbtAcquisition,
      { ...complete, project_id: 'p', manifest: { nodes: {} } },
      false,
    ],
    [
      'a complete manifest without nodes',
      DbtAcquisition,
      { ...complete, project_id: 'p', manifest: { sources: {} } },
      false,
    ],
    ['a complete export', DatahubAcquisition, { ...complete, export: [], import_source: 'i' }, true],
    ['a complete export without its source', DatahubAcquisition, { ...complete, export: [] }, false],
  ];
  it.each(cases)('%s (C-DECLARED-4, C-DECLARED-5)', (_, schema, given, holds) => {
    const conforms = new Ajv2020({ strict: false }).compile(jsonSchema(schema, 'input'));
    expect(conforms(given), JSON.stringify(conforms.errors)).toBe(holds);
  });
});
