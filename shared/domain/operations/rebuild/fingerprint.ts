import { createHash } from 'node:crypto';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { nodeId } from '../../graph/ids.ts';
import { nodeOf, type Urn } from '../../graph/node.ts';
import type { DetailStore, EdgeDetail } from '../../graph/ports.ts';
import type { Connector } from '../../identity/connector.ts';
import { detailsOfNodes } from '../../traversal/details-of-nodes.ts';
import { isExpired } from '../../traversal/evaluate.ts';
import type { LiveClaim } from '../../traversal/expansion.ts';
import type { GraphPorts } from '../../traversal/graph-view.ts';
import { type ScannedNode, type ScannedPage, scanPages } from '../../traversal/scan-graph.ts';

export type FingerprintPorts = GraphPorts & {
  readonly details: Pick<DetailStore, 'get' | 'ofNodes'>;
  readonly connectors: readonly Connector[];
  readonly now: string;
};

/** All that a graph says of what feeds one relation, in one digest. */
export type Fingerprint = {
  /** Where the relation stands in the scan: the same in every graph. */
  readonly place: string;
  readonly relation: Urn;
  readonly edges: number;
  readonly digest: string;
};

/**
 * The relations of a graph that something feeds, in an order that depends on names alone. The digest covers every
 * edge's evidence: who says it under which scope, when it was observed, and what is known of its columns. It leaves out
 * which of several equal deliveries is named as the source, and observations that have expired.
 */
export async function* fingerprints(ports: FingerprintPorts, workspace: WorkspaceId): AsyncGenerator<Fingerprint> {
  const scan = { workspace, asOf: null, nodesPerPage: () => 500, ahead: 1 };
  for await (const page of scanPages(ports, scan, (page) => fingerprintsOf(ports, workspace, page))) yield* page;
}

async function fingerprintsOf(
  ports: FingerprintPorts,
  workspace: WorkspaceId,
  { nodes, range }: ScannedPage,
): Promise<Fingerprint[]> {
  const claims = nodes.flatMap(({ edges }) => edges.flatMap((edge) => edge.claims));
  const found = await detailsOfNodes(ports.details, range).get(workspace, claims);
  const details = new Map(found.map((one) => [nameOf(one), one.detail]));
  return nodes.flatMap((scanned): Fingerprint[] => {
    const lines = linesOf(ports, details, scanned);
    if (lines.length === 0) return [];
    const { downstream, after } = scanned;
    const digest = createHash('sha256')
      .update(JSON.stringify([downstream, lines]))
      .digest('base64url');
    const place = `${String(after.shard).padStart(2, '0')}#${nodeId(downstream)}`;
    return [{ place, relation: downstream, edges: lines.length, digest }];
  });
}

function linesOf(
  ports: FingerprintPorts,
  details: ReadonlyMap<string, EdgeDetail>,
  { downstream, edges, view }: ScannedNode,
): unknown[] {
  const node = nodeOf(downstream);
  const connectors = new Map(ports.connectors.map((one) => [one.id, one]));
  return edges.flatMap(({ other, claims }) => {
    const evidence = claims.flatMap((claim): string[] => {
      const head = view.scopes.get(claim.scope)?.head;
      if (!head) return [];
      const { kind, scopeKey, providerType, providerInstanceId } = head;
      if (kind === 'observed' && isExpired({ connectors, now: ports.now }, null, node, claim.observedAt)) return [];
      const seen = kind === 'observed' ? claim.observedAt : null;
      const said = comparableDetail(details.get(nameOf(claim)));
      return [JSON.stringify([scopeKey, kind, providerType, providerInstanceId, seen, claim.from, claim.to, said])];
    });
    return evidence.length === 0 ? [] : [[other, ...evidence.sort()]];
  });
}

const nameOf = ({ from, to, scope }: Pick<LiveClaim, 'from' | 'to' | 'scope'>) => `${from} ${to} ${scope}`;

function comparableDetail(detail: EdgeDetail | undefined): unknown {
  if (!detail) return null;
  const { producer, statementKind, principal, engine, columns, unresolved } = detail;
  const mappings = columns.map((one) =>
    JSON.stringify([one.inputColumn, one.outputColumn, one.type, one.subtype, one.masking]),
  );
  const missing = unresolved.map(({ outputColumn, reason }) => JSON.stringify([outputColumn, reason]));
  return [producer.namespace, producer.name, statementKind, principal, engine, mappings.sort(), missing.sort()];
}
