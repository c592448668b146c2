import { DeliveryId, idOrNull, type WorkspaceId } from '../../../contract/ids.ts';
import type { Derivation, DerivationsOf } from '../graph/derivation.ts';
import { nodeId } from '../graph/ids.ts';
import { urnOf } from '../graph/node.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { DeliveryStore, PayloadStore } from '../ingest/deliveries/ports.ts';
import { readPayload } from '../ingest/deliveries/read-payload.ts';
import type { Connector } from '../names/connector.ts';
import { documentOf } from '../sources/item-index.ts';
import { type DeclaredDocument, readDeclared } from '../sources/read-body.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import { noParser, type SqlParser } from '../sql/types.ts';

export type DocumentReader = {
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly payloads: Pick<PayloadStore, 'stream'>;
  /** Loads the parser when the first document with SQL needs it. */
  readonly sqlParser: () => Promise<SqlParser>;
  /** Within one answer, larger documents without stored derivations are not read again. */
  readonly rereadBytes: number;
};

type PastPlace = { readonly workspace: WorkspaceId; readonly connectors: readonly Connector[] };

/** What an order stated, by the node that each derivation is of; null where its document is not there any more, or too large to be read again. */
export type PastStatements = Promise<DerivationsOf<Derivation> | null>;

/** What a declared document states, read again from its bytes. */
export async function derivedAgain(
  reader: DocumentReader,
  { workspace, connectors }: PastPlace,
  id: string | null,
): PastStatements {
  const known = id === null ? null : idOrNull(DeliveryId, id);
  const delivery = known && (await reader.deliveries.get(workspace, known));
  const derivations = delivery && (await derivationsIn(reader, connectors, delivery));
  if (!derivations) return null;
  const byNode = Map.groupBy(derivations, ({ output }) => nodeId(urnOf(output)));
  return async (node) => byNode.get(node) ?? [];
}

async function derivationsIn(reader: DocumentReader, connectors: readonly Connector[], delivery: Delivery) {
  const connector = connectors.find(({ id }) => id === delivery.connector_id);
  if (!connector || !isDeclared(delivery.kind)) return null;
  const payload = await readPayload(reader, delivery, reader.rereadBytes);
  if (payload.kind !== 'read') return null;
  const { document, importSource } = documentOf(delivery.kind, payload.body);
  const reading = readDeclared({ connector, connectors, importSource }, document);
  const parser = reading.hasSql ? await reader.sqlParser() : noParser;
  return reading.derive({ analyse: (statement, options) => analyseSql(parser, statement, options) }).derivations;
}

const isDeclared = (kind: Delivery['kind']): kind is DeclaredDocument['kind'] =>
  kind === 'dbt_manifest' || kind === 'sqlmesh_project' || kind === 'datahub_catalog';
