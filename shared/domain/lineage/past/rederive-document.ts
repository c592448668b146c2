import { DeliveryId, idOrNull, type WorkspaceId } from '../../../contract/ids.ts';
import type { Derivation, DerivationsOf } from '../graph/derivation.ts';
import { nodeId, urnOf } from '../graph/node.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { DeliveryStore, PayloadStore } from '../ingest/deliveries/ports.ts';
import { readPayload } from '../ingest/deliveries/read-payload.ts';
import type { Connector } from '../names/connector.ts';
import { documentOf } from '../sources/item-index.ts';
import { type DeclaredDocument, type Derived, readDeclared } from '../sources/read-body.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import { noParser, type SqlParser } from '../sql/types.ts';

export type DocumentReader = {
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly payloads: Pick<PayloadStore, 'stream'>;
  /** Loads the parser when the first document with SQL needs it. */
  readonly sqlParser: () => Promise<SqlParser>;
  /** Within one answer, larger documents without stored derivations are not read again. */
  readonly rereadBytes: number;
  /** The documents that are at hand as they were read: those of files. */
  readonly readings?: (id: string | null) => OpenDocument | null;
};

/** A document as it was read, and what it states. */
export type OpenDocument = ReturnType<typeof readDeclared> & { readonly declared: Derived };

type DocumentPlace = { readonly workspace: WorkspaceId; readonly connectors: readonly Connector[] };

/** Reads a declared document again from its bytes. Returns the reason if it is not kept or larger than `mostBytes`. */
export async function readAgain(
  reader: Pick<DocumentReader, 'deliveries' | 'payloads' | 'readings'>,
  { workspace, connectors }: DocumentPlace,
  id: string | null,
  mostBytes: number,
): Promise<ReturnType<typeof readDeclared> | 'missing' | 'too_large'> {
  const open = reader.readings?.(id);
  if (open) return open;
  const known = id === null ? null : idOrNull(DeliveryId, id);
  const delivery = known && (await reader.deliveries.get(workspace, known));
  const connector = connectors.find((one) => one.id === delivery?.connector_id);
  if (!delivery || !connector || !isDeclared(delivery.kind)) return 'missing';
  const payload = await readPayload(reader, delivery, mostBytes);
  if (payload.kind !== 'read') return payload.kind;
  const { document, importSource } = documentOf(delivery.kind, payload.body);
  return readDeclared({ connector, connectors, importSource }, document);
}

/** What an order stated, by the node that each derivation is of; null where its document is not there any more, or too large to be read again. */
export type PastStatements = Promise<DerivationsOf<Derivation> | null>;

export async function derivedAgain(reader: DocumentReader, place: DocumentPlace, id: string | null): PastStatements {
  const reading = await readAgain(reader, place, id, reader.rereadBytes);
  if (typeof reading === 'string') return null;
  const parser = reading.hasSql ? await reader.sqlParser() : noParser;
  const { derivations } = reading.derive({ analyse: (statement, options) => analyseSql(parser, statement, options) });
  const byNode = Map.groupBy(derivations, ({ output }) => nodeId(urnOf(output)));
  return async (node) => byNode.get(node) ?? [];
}

const isDeclared = (kind: Delivery['kind']): kind is DeclaredDocument['kind'] =>
  kind === 'dbt_manifest' || kind === 'sqlmesh_project' || kind === 'datahub_catalog';
