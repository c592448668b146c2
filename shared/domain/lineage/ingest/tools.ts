import type {
  CatalogCounts,
  DatahubAcquisition,
  DbtAcquisition,
  ProjectCounts,
  SqlmeshAcquisition,
} from '../../../contract/lineage.ts';
import type { LakeTables } from '../sources/collection.ts';
import { datahubFieldErrors } from '../sources/datahub/export.ts';
import { dbtFieldErrors } from '../sources/dbt/manifest.ts';
import { nothingRead, readDatahub, readDbt, readSqlmesh } from '../sources/read-body.ts';
import { sqlmeshFieldErrors } from '../sources/sqlmesh/export.ts';
import type { AcquisitionBody, AcquisitionTool } from './acquisition.ts';
import { datahubScope, dbtScope, sqlmeshScope, unnamed } from './scope-names.ts';

export const datahub: AcquisitionTool<DatahubAcquisition, CatalogCounts> = {
  kind: 'datahub_catalog',
  document: 'export',
  displayName: 'DataHub catalog',
  defaults: { import_source: unnamed },
  scopeOf: ({ import_source }) => ({
    name: datahubScope(import_source),
    given: import_source !== undefined,
    path: '/import_source',
  }),
  linkedProject: () => null,
  fieldErrors: (body) => datahubFieldErrors(body.export),
  read: ({ export: document, import_source: importSource = unnamed }, place) =>
    readDatahub({ ...place, importSource }, { kind: 'datahub_catalog', export: document }),
};

export const sqlmesh: AcquisitionTool<SqlmeshAcquisition, ProjectCounts> = {
  kind: 'sqlmesh_project',
  document: 'project',
  displayName: 'SQLMesh project',
  scopeOf: ({ project, project_id }) => ({
    name: sqlmeshScope(project_id, project['environment']),
    given: project_id !== undefined,
    path: '/project_id',
  }),
  linkedProject: () => null,
  fieldErrors: ({ project }) => sqlmeshFieldErrors(project),
  read: ({ project }, place) => readSqlmesh(place, { kind: 'sqlmesh_project', project }),
};

export const dbt: AcquisitionTool<DbtAcquisition, ProjectCounts> = {
  kind: 'dbt_manifest',
  document: 'manifest',
  displayName: 'dbt project',
  scopeOf: ({ project_id }) => ({
    name: dbtScope(project_id),
    given: project_id !== undefined,
    path: '/project_id',
  }),
  linkedProject: ({ project_id }) => project_id ?? null,
  fieldErrors: ({ manifest }) => dbtFieldErrors(manifest),
  // Counts do not depend on columns, so the catalog is not read.
  read: ({ manifest }, place) => readDbt(place, { kind: 'dbt_manifest', manifest }),
};

/** What the service states of a collection project: no route takes it. */
type CollectionStatement = AcquisitionBody & { readonly project_id: string; readonly shapes: LakeTables };

export const collection: AcquisitionTool<CollectionStatement, CatalogCounts> = {
  kind: 'collection',
  document: 'shapes',
  displayName: 'Collected events',
  scopeOf: ({ project_id }) => ({ name: `collection:${project_id}`, given: true, path: '/project_id' }),
  linkedProject: () => null,
  fieldErrors: () => [],
  read: ({ shapes }) => ({ ...nothingRead, itemCount: shapes.columns.length }),
};
