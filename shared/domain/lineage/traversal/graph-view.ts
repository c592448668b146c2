import type { ConnectorId } from '../../../contract/ids.ts';
import type { OpenGraph } from '../generations/graph-record.ts';
import type { NameLists } from '../graph/name-list.ts';
import type { ColumnIndex, NameIndex, RelationDirectory } from '../graph/name-parts.ts';
import { forgettingAt, microsOfIso } from '../graph/order.ts';
import type { PageReader } from '../graph/page-reader.ts';
import type { UnfinishedRuns } from '../graph/runs.ts';
import type { SchemaStore } from '../graph/schema.ts';
import type { ScopeHead, ScopeStore } from '../graph/scope-store.ts';
import type { Connector } from '../names/connector.ts';
import type { PastDetails, PastReader } from '../past/past-details.ts';
import type { Policy } from '../policy/policy.ts';
import type { ProviderStore, SourceReader } from '../providers/provider.ts';
import { type ColumnsView, columnsView } from './columns-view.ts';
import type { ViewCache } from './load-once.ts';
import { type ClaimsView, nodeView } from './node-view.ts';
import { scopeViews } from './scope-views.ts';
import { storedDetails } from './stored-details.ts';

/** A query that only needs to know its graph. */
export type BareQuery = GraphQuery<never, OpenGraph>;

/** One query's view of the graph at one time: every node, page and scope head is read at most once. */
export type ViewOf<Q> = Q & ClaimsView & { readonly columns: ColumnsView };
export type GraphView<More extends keyof GraphReader = never, Context extends OpenGraph = QueryContext> = ViewOf<
  GraphQuery<More, Context>
>;
export type BareView = ViewOf<BareQuery>;

/** @param asOf ISO time, or null for the graph as it is now */
export function graphView<Q extends BareQuery>(query: Q, asOf: string | null, cache?: ViewCache): ViewOf<Q> {
  const { reader, context } = query;
  const { graph, feeds } = context;
  const scopes = scopeViews({ store: reader.scopes, graph, asOf, feeds, headsRead: query.headsRead ?? [] }, cache);
  const options = { graph, withHistory: asOf !== null, addObservers: scopes.addObservers };
  const nodes = nodeView(reader.pages, options, cache);
  const claims: ClaimsView = {
    asOf,
    observedUntil: asOf !== null ? microsOfIso(asOf) : null,
    nodes,
    scopes,
    readDetails: storedDetails(reader.pages, graph, nodes),
    forgottenUntil: (scope) => forgettingAt(context.forgotten, scope, asOf)?.order ?? null,
    gone: new Set(),
  };
  return { ...query, ...claims, columns: columnsView(claims, (schemas) => reader.schemas.get(graph, schemas)) };
}

/** The stores that queries about a graph read. They serve every graph, and hold no state of a request. */
export type GraphReader = PastReader & {
  readonly pages: PageReader;
  readonly scopes: Pick<ScopeStore, 'heads' | 'history' | 'partials' | 'ends' | 'orders' | 'ofConnector'>;
  readonly schemas: Pick<SchemaStore, 'get'>;
  readonly unfinished: Pick<UnfinishedRuns, 'list'>;
  readonly directory: Pick<RelationDirectory, 'named' | 'any'>;
  readonly names: NameIndex;
  readonly columns: ColumnIndex;
  readonly nameLists: Pick<NameLists, 'read'>;
  readonly sources: SourceReader;
  readonly providers: Pick<ProviderStore, 'list'>;
};

/** Whether the reads of an answer have reached a share of their limit; the whole limit by default. */
export type IsSpent = (share?: number) => boolean;

/** The state of one request: which graph it reads, and what holds until it is answered. */
export type QueryContext = OpenGraph & {
  readonly connectors: ReadonlyMap<ConnectorId, Connector>;
  /** The current policies of the connectors that have one. */
  readonly policies: ReadonlyMap<ConnectorId, Policy>;
  /** ISO time. */
  readonly now: string;
  readonly isSpent: IsSpent;
};

type EveryQuery = 'pages' | 'scopes' | 'schemas';

/** One query: the stores that it reads beside those of every query, and its context. */
export type GraphQuery<More extends keyof GraphReader = never, Context extends OpenGraph = QueryContext> = {
  readonly reader: Pick<GraphReader, EveryQuery | More>;
  readonly context: Context;
  /** Reads statements that newer ones have replaced. Without it, past views show each source's newest statement. */
  readonly past?: PastDetails;
  /** Collects every scope head that the query reads. */
  readonly headsRead?: ScopeHead[];
};

/** What the reads of an answer cost, as if the process remembered nothing: the same question costs the same. */
export type Cost = {
  /** DynamoDB read units. */
  readonly read_units: number;
  readonly requests: number;
};

/** Does work and reports what its reads cost. The work itself may look at any time. */
export type Metering = <T>(
  work: (spent: () => Cost) => Promise<T>,
) => Promise<{ readonly answer: T; readonly cost: Cost }>;

/** What a traversal reads beside the pages: names that a reference may mean. */
export type Traversal = 'directory';
