// Opens files as a graph: the documents that a service takes are read by the same code, and answer the same questions.
import * as v from 'valibot';
import { ConnectorId, DeliveryId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { type ConnectorKind, connectorKinds } from '../../../contract/vocabulary.ts';
import { sha256 } from '../../base/digest.ts';
import { isJsonObject } from '../../base/json/read-json.ts';
import { scopeId } from '../graph/node.ts';
import { nothingForgotten } from '../graph/order.ts';
import { Delivery } from '../ingest/deliveries/delivery.ts';
import { type Connector, connectorDefaults } from '../names/connector.ts';
import { edgesOf } from '../projection/edges.ts';
import { otherFile, snapshotProblem } from '../sources/other-file.ts';
import { type DeclaredDocument, declaredFieldErrors, readDeclared } from '../sources/read-body.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import { noParser, type SqlParser } from '../sql/types.ts';
import type { GraphReader, Metering } from '../traversal/graph-view.ts';
import type { QueryReader } from '../traversal/open-graph.ts';
import { type FileScope, fileGraph } from './file-graph.ts';

export type LineageFile = {
  /** As the user named it. */
  readonly name: string;
  /** The scope that a push of it would have, without the connector: `dbt-project:shop`. */
  readonly scope: string;
  readonly document: DeclaredDocument;
};

export const filesWorkspace = v.parse(WorkspaceId, 'files');

type FilesReader = GraphReader & QueryReader & { readonly metering: Metering };

export type OpenFiles = { readonly connector: Connector; readonly reader: FilesReader };

/** Throws `validation_error` or `lineage_snapshot_invalid` for a file that a complete delivery could not be. */
export async function openFiles(
  files: readonly LineageFile[],
  { sqlParser, now }: { readonly sqlParser: () => Promise<SqlParser>; readonly now: Date },
): Promise<OpenFiles> {
  const connector = connectorOf(files);
  const scopes: FileScope[] = [];
  for (const file of files) scopes.push(await scopeOf(connector, file, { sqlParser, now }));
  const documents = new Map(files.map((file) => [idOf(file), file]));
  const reader: FilesReader = {
    ...fileGraph(scopes),
    namesOf: async () => ({
      connectors: [connector],
      generation: 0,
      changes: 0,
      forgotten: nothingForgotten,
      feeds: {},
    }),
    policiesOf: async () => new Map(),
    // Nothing is paid for, so nothing is cut.
    metering: async (work) => ({ answer: await work(() => free), cost: free }),
    sqlParser,
    derivations: { range: async () => null },
    deliveries: {
      get: async (_, id) => {
        const file = documents.get(id);
        return file ? deliveryOf(connector, file, now) : null;
      },
    },
    payloads: { stream: async ({ delivery_id }) => bytesOf(documents.get(delivery_id)) },
    rereadBytes: Number.POSITIVE_INFINITY,
  };
  return { connector, reader };
}

const free = { read_units: 0, requests: 0 };

/** The connector that names the relations of files: of the platform that the first dbt manifest names. */
function connectorOf(files: readonly LineageFile[]): Connector {
  const [kind = 'other'] = files.flatMap(({ document }) => platformIn(document) ?? []);
  const id = v.parse(ConnectorId, 'files');
  const named = { id, workspace_id: filesWorkspace, kind, name: 'files', namespaces: [] };
  return { ...connectorDefaults, ...named, datahub_platform_instances: [], layers: [] };
}

const platforms: ReadonlyMap<string, ConnectorKind> = new Map(connectorKinds.map((kind) => [kind, kind]));

function platformIn(document: DeclaredDocument): ConnectorKind | undefined {
  const metadata = document.kind === 'dbt_manifest' ? document.manifest['metadata'] : null;
  return isJsonObject(metadata) ? platforms.get(String(metadata['adapter_type'])) : undefined;
}

type Context = { readonly sqlParser: () => Promise<SqlParser>; readonly now: Date };

async function scopeOf(connector: Connector, file: LineageFile, { sqlParser, now }: Context): Promise<FileScope> {
  const { document, scope } = file;
  const errors = declaredFieldErrors(document);
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  const reading = readDeclared({ connector, connectors: [connector], importSource: '' }, document);
  const problem = snapshotProblem(otherFile(document), reading.shapeErrors);
  if (problem !== null) throw problem;
  const parser = reading.hasSql ? await sqlParser() : noParser;
  const { derivations, schemas } = reading.derive({
    analyse: (statement, options) => analyseSql(parser, statement, options),
  });
  const [at, deliveryId, scopeKey] = [now.toISOString(), idOf(file), `connector:${connector.id}:${scope}`];
  return {
    identity: {
      ...{ scope: scopeId(scopeKey), scopeKey, kind: 'snapshot' },
      ...{ providerType: document.kind, providerInstanceId: deliveryId },
    },
    at,
    deliveryId,
    edges: edgesOf(derivations, { deliveryId, observedAt: at, unmappedIsUnknown: false }),
    schemas,
  };
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

function deliveryOf({ id: connector_id }: Connector, file: LineageFile, now: Date): Delivery {
  const [delivery_id, { kind }] = [idOf(file), file.document];
  const counts = { attempts: 1, resends: 0, duplicate_count: 0, item_count: 0, refused_item_count: 0 };
  const none = { completed_at: null, effective_at: null, request_id: null, open_attempt: null, order: null };
  return v.parse(Delivery, {
    ...{ delivery_id, workspace_id: filesWorkspace, connector_id, kind, provider_type: kind, state: 'projected' },
    ...{ provider_instance_id: v.parse(ProviderInstanceId, delivery_id), received_at: now.toISOString(), ...none },
    ...{ generation: 0, ...counts, invalid_item_count: 0, projected_item_count: 0, retracted_evidence_count: 0 },
    ...{ scope_key: file.scope, completeness: 'complete', content_digest: '' },
    payload: { digest: '', content_type: 'application/json', content_encoding: null },
  });
}

async function* bytesOf(file: LineageFile | undefined): AsyncGenerator<Uint8Array> {
  if (file) yield Buffer.from(JSON.stringify(file.document));
}
