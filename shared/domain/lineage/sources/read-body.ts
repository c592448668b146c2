import type { CatalogCounts, ProjectCounts } from '../../../contract/lineage.ts';
import type { FieldError } from '../../../contract/problems.ts';
import { canonicalDigest } from '../../base/digest.ts';
import { ItemCutter, type ItemPath } from '../../base/json/item-cutter.ts';
import {
  exactValue,
  isJsonObject,
  noJson,
  type RefusedJson,
  readJsonText,
  readShallowJson,
} from '../../base/json/read-json.ts';
import { deriveCollection, LakeTables } from './collection.ts';
import { countCatalog, deriveCatalog, platformWarnings } from './datahub/derive-catalog.ts';
import { datahubFieldErrors, datahubItems, readDatahubExport } from './datahub/export.ts';
import { catalogItems } from './dbt/catalog.ts';
import { infoSchemaItems, readDbtColumns } from './dbt/info-schema.ts';
import { dbtFieldErrors, dbtItems, readDbtManifest } from './dbt/manifest.ts';
import { dbtProject } from './dbt/project.ts';
import {
  type CatalogContext,
  type ColumnPorts,
  type Declared,
  type ItemSchemas,
  listed,
  mapped,
  type ParsedDocument,
  selectFields,
} from './declared/declared.ts';
import { deriveModelProject } from './models/derive-model-project.ts';
import { countModelProject } from './models/model-columns.ts';
import type { ModelLineage } from './models/model-lineage.ts';
import type { ModelProject } from './models/model-project.ts';
import { type OtherFile, otherDatahubFile, otherDbtFile } from './other-file.ts';
import { readSqlmeshExport, sqlmeshFieldErrors, sqlmeshItems } from './sqlmesh/export.ts';
import { plainDialect, sqlmeshProject } from './sqlmesh/project.ts';

export type DocumentKind = DeclaredDocument['kind'];

/** What the items of each document of a body are read by. */
const itemsOfKind: Readonly<Record<DocumentKind, Readonly<Record<string, ItemSchemas>>>> = {
  dbt_manifest: { manifest: dbtItems, catalog: catalogItems, info_schema: infoSchemaItems },
  sqlmesh_project: { project: sqlmeshItems },
  datahub_catalog: { export: datahubItems },
  collection: { shapes: { relations: LakeTables.entries.relations.item, columns: LakeTables.entries.columns.item } },
};

type ReadBody = {
  readonly ok: true;
  /** Without what lineage is not made of: of an item the fields that its schema reads, of other items nothing. */
  readonly body: unknown;
  /** Of all that the document holds, as canonical JSON: equal where only white space and the order of keys differ. */
  readonly documentDigest: string;
};

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export async function readDeclaredBody(kind: DocumentKind, chunks: Chunks): Promise<ReadBody | RefusedJson> {
  const items: { readonly digest: string; readonly value: unknown }[] = [];
  const refused: RefusedJson[] = [];
  const cutter = new ItemCutter((path, bytes) => {
    if (refused.length > 0) return;
    const read = readShallowJson(bytes, parsed);
    if (!read.ok) refused.push(refusedIn(cutter, read));
    else items.push({ digest: canonicalDigest(read.value.exact), value: selectedItem(kind, path, read.value.value) });
  });
  // To the end in any case: of bytes that do not come whole, something else is to be said.
  for await (const chunk of chunks) if (refused.length === 0) cutter.push(chunk);
  const [first] = refused;
  if (first !== undefined) return first;
  const text = cutter.end();
  const outline = text === null ? noJson : readJsonText(text, parsed);
  if (!outline.ok) return outline;
  return {
    ok: true,
    body: withItems(outline.value.value, (item) => items[Number(item)]?.value),
    documentDigest: canonicalDigest(documentIn(withItems(outline.value.exact, (item) => items[Number(item)]?.digest))),
  };
}

/** What lineage is read from, and what documents are compared by. */
function parsed(text: string): { readonly value: unknown; readonly exact: unknown } {
  const value: unknown = JSON.parse(text);
  return { value, exact: exactValue(text, value) };
}

/** A key that the item names twice, found in the body. */
function refusedIn(cutter: ItemCutter, { namedTwice }: RefusedJson): RefusedJson {
  const place = namedTwice && cutter.itemPlace();
  return place ? { ok: false, namedTwice: [...place, ...namedTwice] } : noJson;
}

function selectedItem(kind: DocumentKind, { document, member }: ItemPath, value: unknown): unknown {
  const documents = itemsOfKind[kind];
  const schemas = document !== null && Object.hasOwn(documents, document) ? documents[document] : undefined;
  const schema = schemas && Object.hasOwn(schemas, member ?? listed) ? schemas[member ?? listed] : undefined;
  return schema && selectFields(schema, value);
}

/** The body of an outline: each item is found by its number, and left out where nothing is. */
function withItems(outline: unknown, itemOf: (number: unknown) => unknown): unknown {
  const holder = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(itemOf).filter((item) => item !== undefined);
    return isJsonObject(value) && !JSON.isRawJSON(value) ? mapped(value, itemOf) : value;
  };
  const document = (value: unknown) =>
    isJsonObject(value) && !JSON.isRawJSON(value) ? mapped(value, holder) : holder(value);
  return isJsonObject(outline) ? mapped(outline, document) : outline;
}

/** A valid body has no field but its documents that is no text. */
const documentIn = (body: unknown): unknown =>
  isJsonObject(body) ? Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'object')) : body;

type DocumentRecord = Readonly<Record<string, unknown>>;

export type DeclaredDocument =
  | {
      readonly kind: 'dbt_manifest';
      readonly manifest: DocumentRecord;
      readonly catalog?: DocumentRecord | undefined;
      readonly info_schema?: DocumentRecord | undefined;
    }
  | { readonly kind: 'sqlmesh_project'; readonly project: DocumentRecord }
  | { readonly kind: 'datahub_catalog'; readonly export: DocumentRecord | readonly unknown[] }
  | { readonly kind: 'collection'; readonly shapes: DocumentRecord };

type DocumentOf<Kind extends DocumentKind> = Extract<DeclaredDocument, { readonly kind: Kind }>;

/** A document as it was read: what its receipt says, and what it states once columns are worked out. */
export type ParsedDeclaration<Counts = ProjectCounts | CatalogCounts> = Omit<ParsedDocument<unknown>, 'document'> & {
  /** The counts of the receipt: C-INGEST-1. */
  readonly counts: Counts;
  /** The file that the document looks like, if it is not the one that its route takes. */
  readonly otherFile: OtherFile | null;
  /** The platforms that the document says it is of, as it spells them. */
  readonly platforms: readonly string[];
  /** What its delivery should tell. */
  readonly warnings?: ReturnType<typeof platformWarnings>;
  /** The environment that is part of the scope; null if the tool has none. */
  readonly environment: string | null;
  /** Whether there is a statement to parse: only then is a parser worth its loading. */
  readonly hasSql: boolean;
  /** The models that it declares; null of a catalogue. */
  readonly project: ModelProject | null;
  /** Parses SQL: not for the intake API. */
  readonly derive: (ports: ColumnPorts, beside?: ModelLineage) => Derived;
};

/** What a document states; of a project, with the lineage of its models. */
export type Derived = Declared & { readonly lineage?: ModelLineage };

/** What makes a request with this document a `validation_error`: wrong in any delivery, whatever sends it. */
export function declaredFieldErrors(document: DeclaredDocument): readonly FieldError[] {
  switch (document.kind) {
    case 'dbt_manifest':
      return dbtFieldErrors(document.manifest);
    case 'sqlmesh_project':
      return sqlmeshFieldErrors(document.project);
    case 'datahub_catalog':
      return datahubFieldErrors(document.export);
    case 'collection':
      return [];
  }
}

/** Reads a declared document without `declaredFieldErrors` (C-DECLARED-1). */
export function readDeclared(scope: CatalogContext, document: DeclaredDocument): ParsedDeclaration {
  switch (document.kind) {
    case 'dbt_manifest':
      return readDbt(scope, document);
    case 'sqlmesh_project':
      return readSqlmesh(scope, document);
    case 'datahub_catalog':
      return readDatahub(scope, document);
    case 'collection':
      return { ...nothingRead, derive: () => deriveCollection(scope.connector, document.shapes) };
  }
}

type Place = Pick<CatalogContext, 'connector'>;

export function readDbt({ connector }: Place, document: DocumentOf<'dbt_manifest'>): ParsedDeclaration<ProjectCounts> {
  const { document: manifest, ...reading } = readDbtManifest(document.manifest);
  const columns = readDbtColumns(document.catalog, document.info_schema);
  return {
    ...nothingRead,
    ...reading,
    ...readingOf(dbtProject(connector, manifest, columns)),
    otherFile: otherDbtFile(document.manifest),
    platforms: [manifest.metadata.adapter_type ?? ''],
  };
}

export function readSqlmesh(
  { connector }: Place,
  document: DocumentOf<'sqlmesh_project'>,
): ParsedDeclaration<ProjectCounts> {
  const { document: project, ...reading } = readSqlmeshExport(document.project);
  return {
    ...nothingRead,
    ...reading,
    ...readingOf(sqlmeshProject(connector, project)),
    platforms: [plainDialect(project.dialect)],
    environment: project.environment,
  };
}

export function readDatahub(
  scope: CatalogContext,
  document: DocumentOf<'datahub_catalog'>,
): ParsedDeclaration<CatalogCounts> {
  const { document: catalog, ...reading } = readDatahubExport(document.export);
  return {
    ...nothingRead,
    ...reading,
    counts: countCatalog(scope, catalog, reading.itemCount),
    otherFile: otherDatahubFile(document.export),
    // A feed may name any platform from one hour to the next, so its deliveries only warn (C-DECLARED-18).
    get warnings() {
      return platformWarnings(scope.connector, catalog);
    },
    derive: () => deriveCatalog(scope, catalog),
  };
}

/** A reading without items, which readers of documents complete. */
export const nothingRead = {
  itemCount: 0,
  invalidItems: [],
  shapeErrors: [],
  counts: { edges_received: 0, unresolved: 0, observations: 0 },
  otherFile: null,
  platforms: [],
  environment: null,
  hasSql: false,
  project: null,
};

const readingOf = (project: ModelProject) => ({
  counts: countModelProject(project),
  hasSql: project.models.some(({ statement }) => statement.kind === 'sql'),
  project,
  derive: (ports: ColumnPorts, beside?: ModelLineage) => deriveModelProject(ports, project, beside),
});
