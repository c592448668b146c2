import type { FieldError } from '../../../contract/problems.ts';
import { type CatalogContext, countCatalog, deriveCatalog } from './datahub/derive-catalog.ts';
import { datahubFieldErrors, readDatahubExport } from './datahub/export.ts';
import { readDbtCatalog } from './dbt/catalog.ts';
import { dbtFieldErrors, readDbtManifest } from './dbt/manifest.ts';
import { dbtProject } from './dbt/project.ts';
import type { CatalogCounts, ColumnPorts, Declared, ParsedDocument, ProjectCounts } from './declared/declared.ts';
import { countModelProject } from './models/count-model-project.ts';
import { deriveModelProject } from './models/derive-model-project.ts';
import type { ModelProject } from './models/model-project.ts';
import { readSqlmeshExport, sqlmeshFieldErrors } from './sqlmesh/export.ts';
import { sqlmeshProject } from './sqlmesh/project.ts';

type DocumentRecord = Readonly<Record<string, unknown>>;

/** A declared document as the request carries it. */
export type DeclaredDocument =
  | { readonly kind: 'dbt_manifest'; readonly manifest: DocumentRecord; readonly catalog?: DocumentRecord | undefined }
  | { readonly kind: 'sqlmesh_project'; readonly project: DocumentRecord }
  | { readonly kind: 'datahub_catalog'; readonly export: DocumentRecord | readonly unknown[] };

/** A document as it was read: what its receipt says, and what it states once columns are worked out. */
type ParsedDeclaration = Omit<ParsedDocument<unknown>, 'document'> & {
  readonly counts: ProjectCounts | CatalogCounts;
  /** The environment that is part of the scope; null where the tool has none. */
  readonly environment: string | null;
  /** Whether there is a statement to parse: only then is a parser worth its loading. */
  readonly hasSql: boolean;
  /** The models that it declares; null of a catalogue. */
  readonly project: ModelProject | null;
  /** Parses SQL: not for the intake API. */
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
 * Reads a declared document: C-DECLARED-1.
 *
 * @param document without `declaredFieldErrors`
 */
export function readDeclared(scope: CatalogContext, document: DeclaredDocument): ParsedDeclaration {
  switch (document.kind) {
    case 'dbt_manifest': {
      const { document: manifest, ...reading } = readDbtManifest(document.manifest);
      return {
        ...reading,
        ...readingOf(dbtProject(scope.connector, manifest, readDbtCatalog(document.catalog))),
        environment: null,
      };
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
        project: null,
        derive: () => deriveCatalog(scope, catalog),
      };
    }
  }
}

const readingOf = (project: ModelProject): Pick<ParsedDeclaration, 'counts' | 'hasSql' | 'project' | 'derive'> => ({
  counts: countModelProject(project),
  hasSql: project.models.some(({ statement }) => statement.kind === 'sql'),
  project,
  derive: (ports) => deriveModelProject(ports, project),
});
