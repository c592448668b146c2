// Opens files as a graph: the documents that a service takes are read by the same code, and answer the same questions.
import * as v from 'valibot';
import { ConnectorId, DeliveryId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { type ConnectorKind, connectorKinds } from '../../../contract/vocabulary.ts';
import { sha256 } from '../../base/digest.ts';
import { isJsonObject } from '../../base/json/read-json.ts';
import { scopeId } from '../graph/node.ts';
import { nothingForgotten } from '../graph/order.ts';
import { type Connector, connectorDefaults } from '../names/connector.ts';
import { parseNamespace } from '../names/namespace.ts';
import type { OpenDocument } from '../past/rederive-document.ts';
import { edgesOf } from '../projection/edges.ts';
import { snapshotProblem } from '../sources/other-file.ts';
import { type DeclaredDocument, declaredFieldErrors, readDeclared } from '../sources/read-body.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import { noParser, type SqlParser } from '../sql/types.ts';
import type { GraphReader, Metering } from '../traversal/graph-view.ts';
import type { QueryReader } from '../traversal/open-graph.ts';
import { endOfName, namespaceOf, openEvents, type ReadEvents, readEvents } from './file-events.ts';
import { type FileScope, fileGraph, filesWorkspace } from './file-graph.ts';

export type LineageFile = {
  /** As the user named it. */
  readonly name: string;
  /** The scope that a push of it would have, without the connector: `dbt-project:shop`. */
  readonly scope: string;
  readonly document: DeclaredDocument;
};

type FilesReader = GraphReader & QueryReader & { readonly metering: Metering };

export type OpenFiles = { readonly connector: Connector; readonly reader: FilesReader };

/** Throws `validation_error` or `lineage_snapshot_invalid` for a file that a complete delivery could not be. */
export async function openFiles(
  files: readonly LineageFile[],
  { sqlParser, now, events }: Context & { readonly events?: readonly unknown[] },
): Promise<OpenFiles> {
  const read = readEvents(events ?? [], now);
  const connector = connectorOf(files, read);
  const stated = await openEvents(connector, read, sqlParser);
  const opened: OpenFile[] = [];
  for (const file of files) opened.push(await openFile(connector, file, { sqlParser, now }));
  const documents = new Map<string | null, OpenDocument>(
    opened.map(({ scope, document }) => [scope.deliveryId, document]),
  );
  const reader: FilesReader = {
    ...fileGraph([...opened.map(({ scope }) => scope), ...stated.scopes], stated),
    namesOf: async () => ({
      connectors: [connector],
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
  return { connector, reader };
}

const free = { read_units: 0, requests: 0 };

/** The connector that names the relations of files: of the platform that the first dbt manifest names. */
function connectorOf(files: readonly LineageFile[], events: ReadEvents): Connector {
  const declaredNames = files.flatMap(({ document }) => namesIn(document));
  const [declaredKind] = files.flatMap(({ document }) => platformIn(document) ?? []);
  const namespace = namespaceOf(events, declaredKind, new Set(declaredNames));
  const platform = namespace === null ? null : parseNamespace(namespace).platform;
  const kind = declaredKind ?? platforms.get(platform ?? '') ?? 'other';
  const named = { id: v.parse(ConnectorId, 'files'), workspace_id: filesWorkspace, kind, name: 'files' };
  return {
    ...{ ...connectorDefaults, parts: 'whole', ...named, datahub_platform_instances: [], layers: [] },
    namespaces: namespace === null ? [] : [namespace],
    observed_retention_days: retentionDays,
  };
}

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

type Context = { readonly sqlParser: () => Promise<SqlParser>; readonly now: Date };

type OpenFile = { readonly scope: FileScope; readonly document: OpenDocument };

async function openFile(connector: Connector, file: LineageFile, { sqlParser, now }: Context): Promise<OpenFile> {
  const { document } = file;
  const errors = declaredFieldErrors(document);
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  const reading = readDeclared({ connector, connectors: [connector], importSource: '' }, document);
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
