import type { DatahubAcquisition, DbtAcquisition, SqlmeshAcquisition } from '../../../contract/lineage.ts';
import type { LakeTables } from '../sources/collection.ts';
import { countCatalog } from '../sources/datahub/derive-catalog.ts';
import { datahubFieldErrors, readDatahubExport } from '../sources/datahub/export.ts';
import { noDbtColumns } from '../sources/dbt/info-schema.ts';
import { dbtFieldErrors, readDbtManifest } from '../sources/dbt/manifest.ts';
import { dbtProject } from '../sources/dbt/project.ts';
import type { CatalogCounts, ParsedDocument, ProjectCounts } from '../sources/declared/declared.ts';
import { countModelProject } from '../sources/models/model-columns.ts';
import { otherFile } from '../sources/other-file.ts';
import { type DeclaredDocument, nothingCounted } from '../sources/read-body.ts';
import { readSqlmeshExport, sqlmeshFieldErrors } from '../sources/sqlmesh/export.ts';
import { plainDialect, sqlmeshProject } from '../sources/sqlmesh/project.ts';
import type { AcquisitionBody, AcquisitionCounts, AcquisitionTool } from './acquisition.ts';
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
  // A feed may name any platform from one hour to the next: its delivery warns (C-DECLARED-18).
  platforms: () => [],
  count: (body, { connector, connectors }) => {
    const reading = readDatahubExport(body.export);
    const scope = { connector, connectors, importSource: body.import_source ?? unnamed };
    const counts = countCatalog(scope, reading.document, reading.itemCount);
    return counted({ kind: 'datahub_catalog', export: body.export }, reading, counts);
  },
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
  platforms: ({ project }) => [plainDialect(readSqlmeshExport(project).document.dialect)],
  count: ({ project }, { connector }) => {
    const reading = readSqlmeshExport(project);
    const counts = countModelProject(sqlmeshProject(connector, reading.document));
    return counted({ kind: 'sqlmesh_project', project }, reading, counts);
  },
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
  platforms: ({ manifest }) => [readDbtManifest(manifest).document.metadata.adapter_type ?? ''],
  count: ({ manifest }, { connector }) => {
    const reading = readDbtManifest(manifest);
    const counts = countModelProject(dbtProject(connector, reading.document, noDbtColumns));
    return counted({ kind: 'dbt_manifest', manifest }, reading, counts);
  },
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
  platforms: () => [],
  count: ({ shapes }) => ({ ...nothingCounted, itemCount: shapes.columns.length, refusedItemCount: 0 }),
};

const counted = <Counts>(
  document: DeclaredDocument,
  reading: ParsedDocument<unknown>,
  counts: Counts,
): AcquisitionCounts<Counts> => ({
  itemCount: reading.itemCount,
  refusedItemCount: reading.invalidItems.length,
  shapeErrors: reading.shapeErrors,
  otherFile: otherFile(document),
  counts,
});
