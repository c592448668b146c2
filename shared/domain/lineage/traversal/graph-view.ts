import type { OpenGraph } from '../generations/graph-record.ts';
import { forgettingAt, microsOfIso } from '../graph/order.ts';
import type { PageReader } from '../graph/page-reader.ts';
import type { SchemaStore } from '../graph/schema.ts';
import type { ScopeStore } from '../graph/scope-store.ts';
import type { PastDetails } from '../past/past-details.ts';
import { type ColumnsView, columnsView } from './columns-view.ts';
import type { ViewCache } from './load-once.ts';
import { type ClaimsView, nodeView } from './node-view.ts';
import { scopeViews } from './scope-views.ts';

export type GraphPorts = OpenGraph & {
  readonly pages: PageReader;
  readonly scopes: Pick<ScopeStore, 'heads' | 'history' | 'partials' | 'ends'>;
  readonly schemas: Pick<SchemaStore, 'get'>;
  /** Absent where questions about the past take the newest word of each source for what it said. */
  readonly past?: PastDetails;
};

/** One request's view of the graph at one time: every node, page and scope head is read at most once. */
export type GraphView = ClaimsView & {
  readonly graph: OpenGraph['graph'];
  readonly columns: ColumnsView;
  readonly past: PastDetails | null;
};

type ViewOptions = {
  readonly cache?: ViewCache;
};

/** @param asOf ISO time, or null for the graph as it is now */
export function graphView(ports: GraphPorts, asOf: string | null, { cache }: ViewOptions = {}): GraphView {
  const { graph } = ports;
  const scopes = scopeViews({ store: ports.scopes, graph, asOf }, cache);
  const claims: ClaimsView = {
    asOf,
    observedUntil: asOf !== null ? microsOfIso(asOf) : null,
    nodes: nodeView(ports.pages, { graph, withHistory: asOf !== null, addObservers: scopes.addObservers }, cache),
    scopes,
    forgettingOf: (scope) => forgettingAt(ports.forgotten, scope, asOf),
  };
  const columns = columnsView(claims, (schemas) => ports.schemas.get(graph, schemas));
  return { ...claims, graph, columns, past: ports.past ?? null };
}
