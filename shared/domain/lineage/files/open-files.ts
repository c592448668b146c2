// Opens files as a graph: the documents that a service takes are read by the same code, and answer the same questions.
import * as v from 'valibot';
import { ConnectorId, DeliveryId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { type ConnectorKind, connectorKinds } from '../../../contract/vocabulary.ts';
import { sha256 } from '../../base/digest.ts';
import { isJsonObject } from '../../base/json/read-json.ts';
import { lookAlikesOfFiles } from '../gaps/look-alikes.ts';
import { scopeId, type Urn } from '../graph/node.ts';
import { nothingForgotten } from '../graph/order.ts';
import { type Connector, connectorDefaults } from '../names/connector.ts';
import { parseNamespace } from '../names/namespace.ts';
import { isOwned, ownerOf } from '../names/resolve-dataset.ts';
import type { OpenDocument } from '../past/rederive-document.ts';
import { edgesOf } from '../projection/edges.ts';
import { snapshotProblem } from '../sources/other-file.ts';
import { type DeclaredDocument, declaredFieldErrors, readDeclared } from '../sources/read-body.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import { noParser, type SqlParser } from '../sql/types.ts';
import type { GraphReader, Metering } from '../traversal/graph-view.ts';
import type { QueryReader } from '../traversal/open-graph.ts';
import { exportFeed, openExport } from './exported-graph.ts';
import { endOfName, type FileNames, namespaceOf, openEvents, type ReadEvents, readEvents } from './file-events.ts';
import { type FileScope, fileGraph, filesWorkspace } from './file-graph.ts';

export type LineageFile = {
  /** As the user named it. */
  readonly name: string;
  /** The scope that a push of it would have, without the connector: `dbt-project:shop`. */
  readonly scope: string;
  readonly document: DeclaredDocument;
};

type FilesReader = GraphReader & QueryReader & { readonly metering: Metering };

export type OpenFiles = {
  readonly connector: Connector;
  readonly reader: FilesReader;
  /** The events that could not be read, and why. */
  readonly unread: ReadEvents['quarantined'];
};

/** The graph of a service, which files are joined with. */
export type ServiceGraph = Pick<FileNames, 'connectors'> & {
  /** The connector that the files are of; null: the one that has most of their relations. */
  readonly connector: Connector | null;
  /** Its export: events of the profile `job`. */
  readonly exported: readonly unknown[];
};

type Evidence = { readonly events?: readonly unknown[]; readonly service?: ServiceGraph | undefined };

/** Throws `validation_error` or `lineage_snapshot_invalid` for a file that a complete delivery could not be. */
export async function openFiles(
  files: readonly LineageFile[],
  { sqlParser, now, events = [], service }: Context & Evidence,
): Promise<OpenFiles> {
  const read = readEvents(events, now);
  const exported = service ? readEvents(service.exported, now, exportFeed) : null;
  const names = service && exported ? namesWith(service, files, { exported, read }) : namesOf(files, read);
  const { connector, connectors } = names;
  const stated = await openEvents(names, read, sqlParser);
  const known = exported ? await openExport(names, exported, sqlParser) : [];
  const opened: OpenFile[] = [];
  for (const file of files) opened.push(await openFile(names, file, { sqlParser, now }));
  const documents = new Map<string | null, OpenDocument>(
    opened.map(({ scope, document }) => [scope.deliveryId, document]),
  );
  const lookAlikes = (urns: readonly Urn[]) => lookAlikesOfFiles(connectors, urns);
  const reader: FilesReader = {
    ...fileGraph([...opened.map(({ scope }) => scope), ...stated.scopes, ...known], { ...stated, lookAlikes }),
    namesOf: async () => ({
      connectors,
      generation: 0,
      changes: 0,
      forgotten: nothingForgotten,
      feeds: {},
      unownedRetentionDays: retentionDays,
    }),
    policiesOf: async () => new Map(),
    // Nothing is paid for, so nothing is cut.
    metering: async (work) => ({ answer: await work(() => free), cost: free }),
    sqlParser,
    derivations: { range: async () => null },
    readings: (id) => documents.get(id) ?? null,
    // Nothing was delivered: all documents are at hand.
    deliveries: { get: async () => null },
    payloads: { stream: () => Promise.reject(new TypeError('Documents of files are at hand.')) },
    rereadBytes: 0,
  };
  return { connector, reader, unread: read.quarantined };
}

const free = { read_units: 0, requests: 0 };

/** The connector that names the relations of files: of the platform that the first dbt manifest names. */
function namesOf(files: readonly LineageFile[], events: ReadEvents): FileNames {
  const [declaredKind] = files.flatMap(({ document }) => platformIn(document) ?? []);
  const namespace = namespaceOf(events, declaredKind, namesDeclared(files));
  const platform = namespace === null ? null : parseNamespace(namespace).platform;
  const kind = declaredKind ?? platforms.get(platform ?? '') ?? 'other';
  const named = { id: v.parse(ConnectorId, 'files'), workspace_id: filesWorkspace, kind, name: 'files' };
  const connector: Connector = {
    ...{ ...connectorDefaults, parts: 'whole', ...named, datahub_platform_instances: [], layers: [] },
    namespaces: namespace === null ? [] : [namespace],
    observed_retention_days: retentionDays,
  };
  return { connector, connectors: [connector] };
}

/** The names of a service. A connector that has no namespace yet gets the one of the events that fits the files best. */
function namesWith(
  service: ServiceGraph,
  files: readonly LineageFile[],
  { exported, read }: { readonly exported: ReadEvents; readonly read: ReadEvents },
): FileNames {
  const { connectors } = service;
  const declared = namesDeclared(files);
  const own =
    service.connector ?? ownerOf(connectors, namespaceOf(exported, undefined, declared) ?? '') ?? connectors[0];
  if (!own) return namesOf(files, read);
  const namespace = own.namespaces.length > 0 ? null : namespaceOf(read, own.kind, declared);
  if (namespace === null || isOwned(connectors, namespace)) return { connector: own, connectors };
  const connector = { ...own, namespaces: [...own.namespaces, namespace] };
  return { connector, connectors: connectors.map((one) => (one.id === own.id ? connector : one)) };
}

const namesDeclared = (files: readonly LineageFile[]): ReadonlySet<string> =>
  new Set(files.flatMap(({ document }) => namesIn(document)));

/** Nobody sends the events of a file again: they hold as long as the user names it. */
const retentionDays = 36_500;

const platforms: ReadonlyMap<string, ConnectorKind> = new Map(connectorKinds.map((kind) => [kind, kind]));

function platformIn(document: DeclaredDocument): ConnectorKind | undefined {
  const metadata = document.kind === 'dbt_manifest' ? document.manifest['metadata'] : null;
  return isJsonObject(metadata) ? platforms.get(String(metadata['adapter_type'])) : undefined;
}

/** The ends of the names of a project's relations, as `endOfName` writes them. */
function namesIn(document: DeclaredDocument): string[] {
  if (document.kind !== 'dbt_manifest') return [];
  const { nodes, sources } = document.manifest;
  return [nodes, sources].filter(isJsonObject).flatMap((all) =>
    Object.values(all).flatMap((one) => {
      if (!isJsonObject(one)) return [];
      return endOfName([one['schema'], one['alias'] ?? one['identifier'] ?? one['name']].join('.'));
    }),
  );
}

export type Context = { readonly sqlParser: () => Promise<SqlParser>; readonly now: Date };

type OpenFile = { readonly scope: FileScope; readonly document: OpenDocument };

async function openFile(
  { connector, connectors }: FileNames,
  file: LineageFile,
  { sqlParser, now }: Context,
): Promise<OpenFile> {
  const { document } = file;
  const errors = declaredFieldErrors(document);
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  const reading = readDeclared({ connector, connectors, importSource: '' }, document);
  const problem = snapshotProblem(reading.otherFile, reading.shapeErrors);
  if (problem !== null) throw problem;
  const parser = reading.hasSql ? await sqlParser() : noParser;
  const declared = reading.derive({
    analyse: (statement, options) => analyseSql(parser, statement, options),
    listsAreCurrent: hasNewerCatalog(document),
    skimsStatements: true,
  });
  const [at, deliveryId, scopeKey] = [now.toISOString(), idOf(file), `connector:${connector.id}:${file.scope}`];
  const scope: FileScope = {
    identity: {
      ...{ scope: scopeId(scopeKey), scopeKey, kind: 'snapshot' },
      ...{ providerType: document.kind, providerInstanceId: deliveryId },
    },
    ...{ at, deliveryId, declared },
    reads: new Set(declared.reads),
    edges: edgesOf(declared.derivations, { deliveryId, observedAt: at, unmappedIsUnknown: false }),
  };
  return { scope, document: { ...reading, declared } };
}

/** Whether the catalog was read from the warehouse after the statements of the manifest were compiled. */
function hasNewerCatalog(document: DeclaredDocument): boolean {
  if (document.kind !== 'dbt_manifest' || !document.catalog) return false;
  return generatedAt(document.catalog) >= generatedAt(document.manifest);
}

function generatedAt({ metadata }: Readonly<Record<string, unknown>>): number {
  return isJsonObject(metadata) ? Date.parse(String(metadata['generated_at'])) : Number.NaN;
}

/** Names a file as a delivery is named, so that readers of documents find it. */
function idOf({ name }: LineageFile): DeliveryId {
  const hex = sha256(name).toString('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return v.parse(DeliveryId, parts.join('-'));
}
