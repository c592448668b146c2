import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { takeOrder } from '../../shared/adapters/dynamodb/graph/scopes/scope-heads.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { type ColumnMapping, type Derivation, packDerivations } from '../../shared/domain/lineage/graph/derivation.ts';
import { graphOf, type Node, nodeId, scopeId, type Urn, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { microsOfIso, zeroOrder } from '../../shared/domain/lineage/graph/order.ts';
import type { RelationSchema } from '../../shared/domain/lineage/graph/schema.ts';
import type { RetiredOrder, ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { type PastDetails, pastDetails } from '../../shared/domain/lineage/past/past-details.ts';
import { loadSnapshot } from '../../shared/domain/lineage/projection/load-snapshot.ts';
import type { ChangeLimits, Snapshot } from '../../shared/domain/lineage/projection/snapshot-status.ts';
import { expand } from '../../shared/domain/lineage/traversal/expansion.ts';
import { graphView, type QueryContext } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { detailsSeen } from '../../shared/domain/lineage/traversal/visible-details.ts';
import { graphPorts } from './graph-ports.ts';
import { queryOf } from './query-of.ts';

/** What a snapshot says: statements as `ab1` (the edge from a to b, in its first wording), columns as `a1`. */
export type Statement = {
  readonly scope: string;
  readonly complete: boolean;
  readonly statements: readonly string[];
  readonly columns: readonly string[];
};

export const scopeNames = ['one', 'two'];
const names = ['a', 'b', 'c', 'd'];
export const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => `${from}${to}`));

const relation = (name: string): Node => ({
  kind: 'relation',
  connectorId: 'c1' as ConnectorId,
  ref: `d.s.${name}`,
});
const urn = (name: string): Urn => urnOf(relation(name));
const nameOf = (urn: string): string => urn.slice(-1);

const mapping = (statement: string): ColumnMapping => ({
  input: relation(statement.charAt(0)),
  inputColumn: statement,
  outputColumn: 'x',
  type: 'DIRECT',
  subtype: null,
  masking: false,
});

const derivation = (statement: string): Derivation => ({
  output: relation(statement.charAt(1)),
  inputs: [relation(statement.charAt(0))],
  columns: [mapping(statement)],
  unresolved: [],
  producer: { namespace: 'p', name: statement },
  statementKind: null,
  principal: null,
  location: `/${randomUUID()}`,
});

const schema = (column: string): RelationSchema => ({
  columns: [{ name: column, type: null }],
  stars: [],
  complete: true,
});

const scopeKeyOf = (name: string): string => `connector:${name}`;
export const scopeNamed = (name: string) => scopeId(scopeKeyOf(name));

const scopeOf = (name: string): ScopeIdentity & { readonly kind: 'snapshot' } => ({
  scope: scopeNamed(name),
  scopeKey: scopeKeyOf(name),
  kind: 'snapshot',
  providerType: 'dbt_manifest',
  providerInstanceId: 'p',
});

const job = { ...scopeOf('job'), kind: 'observed' as const };

const start = Date.UTC(2026, 0, 1);
export const daysAfter = (n: number) => new Date(start + n * 86_400_000);

/** One workspace of a shared table, with a clock of days that the test moves. */
export function snapshotWorld(client: DynamoDBClient, limits?: ChangeLimits) {
  const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
  const graph = graphOf(workspace, 0);
  const listings = new Map();
  const remaining = new Map<string, Uint8Array>();
  let day = 0;
  const ports = (one: DynamoDBClient = client) => {
    const all = graphPorts(one, listings, remaining);
    // The index lists the orders of all workspaces: those of other runs of a test are not this one's.
    async function* mine(batches: AsyncIterable<readonly RetiredOrder[]>) {
      for await (const batch of batches) yield batch.filter((order) => order.graph === graph);
    }
    return {
      ...all,
      graph,
      clock: { now: () => daysAfter(day) },
      scopes: {
        ...all.scopes,
        retired: () => mine(graphPorts(client).scopes.retired()),
        expired: (now: string) => mine(graphPorts(client).scopes.expired(now)),
      },
    };
  };
  const accept = async ({ scope, complete, statements, columns }: Statement) => {
    const order = await takeOrder(ports().table, graph, scopeOf(scope), complete);
    const derivations = statements.map(derivation);
    const snapshot: Snapshot = {
      graph,
      scope: scopeOf(scope),
      order,
      complete,
      deliveryId: randomUUID(),
      receivedAt: daysAfter(day).toISOString(),
      derivations,
      packed: packDerivations(derivations.map((one) => ({ ...one, itemIndex: null, sql: null }))),
      schemas: new Map(columns.map((one) => [urn(one.charAt(0)), schema(one)])),
      shrinkGuard: { mode: 'off', share: 0.5 },
      released: false,
    };
    return (one = client) => loadSnapshot(ports(one), snapshot, limits);
  };
  const observe = (pair: string) => {
    const [from = '', to = ''] = pair;
    const at = microsOfIso(daysAfter(day).toISOString());
    return ports().claims.observe(graph, { scope: job, at, edges: [{ from: urn(from), to: urn(to) }] });
  };
  return {
    workspace,
    ports,
    accept,
    observe,
    nextDay: () => ++day,
    today: () => day,
    edges: (asOf: string | null) => edgesOf(ports(), asOf),
    columns: (asOf: string | null) => columnsOf(ports(), asOf),
    details: (edges: readonly string[]) => detailsOf(ports(), edges),
    saidAt: (at: string, edges: readonly string[]) => statementsAt(ports(), at, edges),
    /** The recorded orders of a scope, and those with stored statements. */
    orders: async (name: string) => {
      const recorded = await ports().scopes.history(graph, scopeNamed(name), zeroOrder);
      const prefix = `${workspace}/${scopeNamed(name)}/`;
      const unchangedResults = [...remaining.keys()]
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length));
      return { recorded: recorded.map(({ order }) => String(order)), kept: unchangedResults.sort() };
    },
  };
}

type Ports = ReturnType<typeof graphPorts> & Pick<QueryContext, 'graph'>;

/** The live claims as `<scope> <pair> <time>`, as a reader of either side finds them. */
async function edgesOf(ports: Ports, asOf: string | null) {
  const [out, into] = await Promise.all(
    (['out', 'in'] as const).map(async (side) => {
      const view = graphView(queryOf(ports, ports.graph), asOf);
      const expansion = await expand(view, { side, nodes: names.map(urn) });
      const edges = (await expansion.next(1_000)) ?? [];
      return edges
        .flatMap(({ self, other, claims }) => {
          const pair = side === 'out' ? nameOf(self) + nameOf(other) : nameOf(other) + nameOf(self);
          return claims.map(({ scope, observedAt }) => `${scope} ${pair} ${observedAt}`);
        })
        .sort();
    }),
  );
  return { out: out ?? [], in: into ?? [] };
}

/** The live statements of columns as `<scope> <column>`. */
async function columnsOf(ports: Ports, asOf: string | null): Promise<string[]> {
  const { columns } = graphView(queryOf(ports, ports.graph), asOf);
  await columns.load(names.map(urn));
  const stated = names
    .flatMap((name) => columns.statedOf(urn(name)))
    .flatMap(({ scope, content }) => content.columns.map((column) => `${scope} ${column.name}`));
  // A scope may state one list under several orders.
  return [...new Set(stated)].sort();
}

/** The statements about edges given as `<scope> <pair>`, as `<scope> <statement>`. */
async function detailsOf(ports: Ports, edges: readonly string[]): Promise<string[]> {
  const found = await detailsIn(ports, null, edges);
  return found.map(({ scope, detail }) => `${scope} ${detail.producer.name}`).sort();
}

/** What a reader sees of details at a time. */
async function detailsIn(ports: Ports, asOf: string | null, edges: readonly string[], past?: PastDetails) {
  const view = graphView({ ...queryOf(ports, ports.graph), ...(past && { past }) }, asOf);
  const expansion = await expand(view, { side: 'in', nodes: names.map(urn) });
  const target = new Set(edges.map((edge) => JSON.stringify(edgeNamed(edge))));
  const claims = ((await expansion.next(1_000)) ?? []).flatMap((edge) => edge.claims);
  const requested = claims.filter(({ scope, from, to }) => target.has(JSON.stringify({ scope, from, to })));
  return detailsSeen(view, requested, await view.readDetails(requested));
}

function edgeNamed(edge: string) {
  const [scope = '', [from = '', to = ''] = ''] = edge.split(' ');
  return { scope: scope as ScopeIdentity['scope'], from: nodeId(urn(from)), to: nodeId(urn(to)) };
}

/** The statements of scopes about edges at a time, as `<scope> <statement>`, from the stored orders. */
async function statementsAt(ports: Ports, at: string, edges: readonly string[]): Promise<string[]> {
  const reads = { deliveries: { get: neverRead }, payloads: { stream: neverRead }, sqlParser: neverRead };
  const past = pastDetails(queryOf({ ...ports, ...reads, rereadBytes: 0 }, ports.graph), 'w' as WorkspaceId);
  const found = await detailsIn(ports, at, edges, past);
  return found.map(({ scope, detail }) => `${scope} ${detail.columns[0]?.inputColumn}`).sort();
}

const neverRead = () => Promise.reject(new Error('what is kept says all of it'));
