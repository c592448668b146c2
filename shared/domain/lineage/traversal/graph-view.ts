import type { OpenGraph } from '../generations/graph-record.ts';
import { forgettingAt, microsOfIso } from '../graph/order.ts';
import { type ColumnsView, columnsView } from './columns-view.ts';
import type { ViewCache } from './load-once.ts';
import { type ClaimsView, nodeView } from './node-view.ts';
import type { GraphQuery, GraphReader, QueryContext } from './ports.ts';
import { scopeViews } from './scope-views.ts';

/** A query that only needs to know its graph. */
export type BareQuery = GraphQuery<never, OpenGraph>;

/** One query's view of the graph at one time: every node, page and scope head is read at most once. */
export type ViewOf<Q> = Q & ClaimsView & { readonly columns: ColumnsView };
export type GraphView<More extends keyof GraphReader = never, Context extends OpenGraph = QueryContext> = ViewOf<
  GraphQuery<More, Context>
>;
export type BareView = ViewOf<BareQuery>;

type ViewOptions = {
  readonly cache?: ViewCache;
};

/** @param asOf ISO time, or null for the graph as it is now */
export function graphView<Q extends BareQuery>(query: Q, asOf: string | null, { cache }: ViewOptions = {}): ViewOf<Q> {
  const { reader, context } = query;
  const { graph } = context;
  const scopes = scopeViews({ store: reader.scopes, graph, asOf, headsRead: query.headsRead ?? [] }, cache);
  const claims: ClaimsView = {
    asOf,
    observedUntil: asOf !== null ? microsOfIso(asOf) : null,
    nodes: nodeView(reader.pages, { graph, withHistory: asOf !== null, addObservers: scopes.addObservers }, cache),
    scopes,
    forgettingOf: (scope) => forgettingAt(context.forgotten, scope, asOf),
  };
  return { ...query, ...claims, columns: columnsView(claims, (schemas) => reader.schemas.get(graph, schemas)) };
}
