import type { DatahubAcquisition, DbtAcquisition, SqlmeshAcquisition } from '../../contract/lineage.ts';
import { countCatalog } from '../declared/datahub/derive-catalog.ts';
import { datahubFieldErrors, readDatahubExport } from '../declared/datahub/export.ts';
import { dbtFieldErrors, readDbtManifest } from '../declared/dbt/manifest.ts';
import { dbtProject } from '../declared/dbt/project.ts';
import type { CatalogCounts, ProjectCounts, Reading } from '../declared/declared.ts';
import { countProject } from '../declared/project/count-project.ts';
import { readSqlmeshExport, sqlmeshFieldErrors } from '../declared/sqlmesh/export.ts';
import { sqlmeshProject } from '../declared/sqlmesh/project.ts';
import type { AcquisitionCounts, AcquisitionTool } from './acquisition.ts';

/** Where evidence of a partial delivery belongs that names no scope of its own: specification 4.2. */
const unnamed = 'default';

export const datahub: AcquisitionTool<DatahubAcquisition, CatalogCounts> = {
  kind: 'datahub_catalog',
  document: 'export',
  displayName: 'DataHub catalog',
  scopeOf: ({ import_source }) => ({
    name: `datahub-source:${import_source ?? unnamed}`,
    given: import_source !== undefined,
    path: '/import_source',
  }),
  linkedProject: () => null,
  fieldErrors: (body) => datahubFieldErrors(body.export),
  count: (body, { connector, connectors }) => {
    const reading = readDatahubExport(body.export);
    const scope = { connector, connectors, importSource: body.import_source ?? unnamed };
    return counted(reading, countCatalog(scope, reading.document, reading.itemCount));
  },
};

export const sqlmesh: AcquisitionTool<SqlmeshAcquisition, ProjectCounts> = {
  kind: 'sqlmesh_project',
  document: 'project',
  displayName: 'SQLMesh project',
  scopeOf: ({ project, project_id }) => ({
    name: `sqlmesh-project:${apart(project_id ?? unnamed)}:${String(project['environment'])}`,
    given: project_id !== undefined,
    path: '/project_id',
  }),
  linkedProject: () => null,
  fieldErrors: ({ project }) => sqlmeshFieldErrors(project),
  count: ({ project }, { connector }) => {
    const reading = readSqlmeshExport(project);
    return counted(reading, countProject(sqlmeshProject(connector, reading.document)));
  },
};

export const dbt: AcquisitionTool<DbtAcquisition, ProjectCounts> = {
  kind: 'dbt_manifest',
  document: 'manifest',
  displayName: 'dbt project',
  scopeOf: ({ project_id }) => ({
    name: `dbt-project:${project_id ?? unnamed}`,
    given: project_id !== undefined,
    path: '/project_id',
  }),
  linkedProject: ({ project_id }) => project_id ?? null,
  fieldErrors: ({ manifest }) => dbtFieldErrors(manifest),
  count: ({ manifest }, { connector }) => {
    const reading = readDbtManifest(manifest);
    return counted(reading, countProject(dbtProject(connector, reading.document)));
  },
};

/** A project id with a colon must not be mistaken for a shorter one and the environment behind it. */
const apart = (projectId: string): string => projectId.replaceAll('%', '%25').replaceAll(':', '%3A');

const counted = <Counts>(reading: Reading<unknown>, counts: Counts): AcquisitionCounts<Counts> => ({
  itemCount: reading.itemCount,
  refusedItemCount: reading.invalidItems.length,
  shapeErrors: reading.shapeErrors,
  counts,
});
