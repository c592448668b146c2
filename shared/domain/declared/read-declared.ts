import type { FieldError } from '../../contract/problems.ts';
import { type CatalogScope, countCatalog, deriveCatalog } from './datahub/derive-catalog.ts';
import { datahubFieldErrors, readDatahubExport } from './datahub/export.ts';
import { dbtFieldErrors, readDbtManifest } from './dbt/manifest.ts';
import { dbtProject } from './dbt/project.ts';
import type { CatalogCounts, ColumnPorts, Declared, ProjectCounts, Reading } from './declared.ts';
import { countProject } from './project/count-project.ts';
import { deriveProject } from './project/derive-project.ts';
import type { Project } from './project/project.ts';
import { readSqlmeshExport, sqlmeshFieldErrors } from './sqlmesh/export.ts';
import { sqlmeshProject } from './sqlmesh/project.ts';

type DocumentRecord = Readonly<Record<string, unknown>>;

/** A declared document as the request carries it. */
export type DeclaredDocument =
  | { readonly kind: 'dbt_manifest'; readonly manifest: DocumentRecord }
  | { readonly kind: 'sqlmesh_project'; readonly project: DocumentRecord }
  | { readonly kind: 'datahub_catalog'; readonly export: DocumentRecord | readonly unknown[] };

/** A document as it was read: what its receipt says, and what it states once columns are worked out. */
export type DeclaredReading = Omit<Reading<unknown>, 'document'> & {
  readonly counts: ProjectCounts | CatalogCounts;
  /** The environment that is part of the scope; null where the tool has none. */
  readonly environment: string | null;
  /** Whether there is a statement to parse: only then is a parser worth its loading. */
  readonly hasSql: boolean;
  /** Parses SQL: not for the door. */
  readonly derive: (ports: ColumnPorts) => Declared;
};

/** What makes a request with this document a `validation_error`: wrong in any delivery, whoever sends it. */
export function declaredFieldErrors(document: DeclaredDocument): readonly FieldError[] {
  switch (document.kind) {
    case 'dbt_manifest':
      return dbtFieldErrors(document.manifest);
    case 'sqlmesh_project':
      return sqlmeshFieldErrors(document.project);
    case 'datahub_catalog':
      return datahubFieldErrors(document.export);
  }
}

/**
 * Reads a declared document: specification 4.2, decisions 5.
 *
 * @param document without `declaredFieldErrors`
 */
export function readDeclared(scope: CatalogScope, document: DeclaredDocument): DeclaredReading {
  switch (document.kind) {
    case 'dbt_manifest': {
      const { document: manifest, ...reading } = readDbtManifest(document.manifest);
      return { ...reading, ...readingOf(dbtProject(scope.connector, manifest)), environment: null };
    }
    case 'sqlmesh_project': {
      const { document: project, ...reading } = readSqlmeshExport(document.project);
      return { ...reading, ...readingOf(sqlmeshProject(scope.connector, project)), environment: project.environment };
    }
    case 'datahub_catalog': {
      const { document: catalog, ...reading } = readDatahubExport(document.export);
      return {
        ...reading,
        counts: countCatalog(scope, catalog, reading.itemCount),
        environment: null,
        hasSql: false,
        derive: () => deriveCatalog(scope, catalog),
      };
    }
  }
}

const readingOf = (project: Project): Pick<DeclaredReading, 'counts' | 'hasSql' | 'derive'> => ({
  counts: countProject(project),
  hasSql: project.models.some(({ statement }) => statement.kind === 'sql'),
  derive: (ports) => deriveProject(ports, project),
});
