import type { WorkspaceId } from '../../../contract/ids.ts';
import { jsonDigest } from '../../base/digest.ts';
import { type Names, openedGraph } from '../../lineage/generations/graph-record.ts';
import { type EdgeDetail, edgeInScopeName } from '../../lineage/graph/derivation.ts';
import { nodeId, nodeOf, shardOf, type Urn } from '../../lineage/graph/node.ts';
import { isExpired } from '../../lineage/names/retention.ts';
import type { GraphQuery, QueryContext } from '../../lineage/traversal/graph-view.ts';
import { countedSchemas } from '../../lineage/traversal/known-columns.ts';
import { type ScannedNode, type ScannedPage, scanPages } from '../../lineage/traversal/scan-graph.ts';
import { detailsSeen } from '../../lineage/traversal/visible-details.ts';

export type FingerprintQuery = GraphQuery<never, Omit<QueryContext, 'policies' | 'isSpent'>>;

/** A query for the digests of the graph that has these names. */
export const fingerprintQuery = (
  reader: FingerprintQuery['reader'],
  workspace: WorkspaceId,
  names: Pick<Names, 'connectors' | 'generation' | 'forgotten'>,
  now: Date,
): FingerprintQuery => ({
  reader,
  context: {
    ...openedGraph(workspace, { generation: names.generation, forgotten: names.forgotten }),
    connectors: new Map(names.connectors.map((one) => [one.id, one])),
    now: now.toISOString(),
  },
});

/** A digest of one relation's columns and upstream lineage. */
export type Fingerprint = {
  /** Where the relation is in the scan: the same in every graph. */
  readonly place: string;
  readonly relation: Urn;
  readonly edges: number;
  readonly digest: string;
};

/**
 * The relations of a graph that something feeds or whose columns somebody states, in an order that depends on names
 * alone. The digest covers every edge's evidence: who says it under which scope, when it was observed, and what is known
 * of its columns; and the statements of the relation's columns that count, in their order. It leaves out which of
 * several equal deliveries is named as the source, when a declared document took effect, and observations that have
 * expired.
 */
export async function* fingerprints(query: FingerprintQuery): AsyncGenerator<Fingerprint> {
  const scan = { asOf: null, nodesPerPage: () => 500, ahead: 1 };
  for await (const page of scanPages(query, scan, fingerprintsOf)) yield* page;
}

async function fingerprintsOf({ read, nodes, view }: ScannedPage<FingerprintQuery>): Promise<Fingerprint[]> {
  const claims = nodes.flatMap(({ edges }) => edges.flatMap((edge) => edge.claims));
  const found = await detailsSeen(view, claims, await view.readDetails(claims));
  const detailOf = new Map(found.map((one) => [edgeInScopeName(one), one.detail]));
  const fed = new Map(nodes.map((node) => [node.downstream, node]));
  await view.columns.load(read);
  return read.flatMap((relation): Fingerprint[] => {
    const scanned = fed.get(relation);
    const lines = scanned ? linesOf(detailOf, scanned) : [];
    const columns = columnsOf(view, relation);
    if (lines.length === 0 && columns.length === 0) return [];
    const digest = jsonDigest([relation, columns, lines]).toString('base64url');
    const node = nodeId(relation);
    const place = `${String(shardOf(node)).padStart(2, '0')}#${node}`;
    return [{ place, relation, edges: lines.length, digest }];
  });
}

function linesOf(
  details: ReadonlyMap<string, EdgeDetail>,
  { downstream, edges, view }: ScannedNode<FingerprintQuery>,
): unknown[] {
  const node = nodeOf(downstream);
  return edges.flatMap(({ other, claims }) => {
    const evidence = claims.flatMap((claim): string[] => {
      const head = view.scopes.get(claim.scope)?.head;
      if (!head) return [];
      const { kind, scopeKey, providerType, providerInstanceId } = head;
      if (kind === 'observed' && isExpired(view.context, null, node, claim.observedAt)) return [];
      const seen = kind === 'observed' ? claim.observedAt : null;
      const detail = comparableDetail(details.get(edgeInScopeName(claim)));
      return [JSON.stringify([scopeKey, kind, providerType, providerInstanceId, seen, claim.from, claim.to, detail])];
    });
    return evidence.length === 0 ? [] : [[other, ...evidence.sort()]];
  });
}

/** The statements of a relation's columns that count, oldest first: a schema is named by its content. */
function columnsOf(view: ScannedPage<FingerprintQuery>['view'], relation: Urn): unknown[] {
  const node = nodeOf(relation);
  return countedSchemas(view.columns.statedOf(relation)).flatMap(({ schema, scope, at }) => {
    if (view.scopes.get(scope)?.head.kind !== 'observed') return [[scope, schema]];
    return isExpired(view.context, null, node, at) ? [] : [[scope, schema, at]];
  });
}

function comparableDetail(detail: EdgeDetail | undefined): unknown {
  if (!detail) return null;
  const { producer, statement, statementKind, principal, engine, columns, unresolved } = detail;
  const mappings = columns.map((one) =>
    JSON.stringify([one.inputColumn, one.outputColumn, one.type, one.subtype, one.masking]),
  );
  const missing = unresolved.map(({ outputColumn, reason, type, open }) =>
    JSON.stringify([outputColumn, reason, type, open]),
  );
  const fields = [producer.namespace, producer.name, statement ?? null, statementKind, principal, engine];
  return [...fields, mappings.sort(), missing.sort()];
}
