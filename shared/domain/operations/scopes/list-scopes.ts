import * as v from 'valibot';
import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { EvidenceScope, ScopePage } from '../../../contract/scopes.ts';
import { inParallel } from '../../base/concurrency.ts';
import { type BoundList, readCursor, writeCursor } from '../../base/paging/cursor.ts';
import { type NamesReader, type OpenGraph, openedGraph } from '../../lineage/generations/graph-record.ts';
import { type ScopeHead, type ScopeStore, scopePlace } from '../../lineage/graph/scope-store.ts';
import type { ProviderStore } from '../../lineage/providers/provider.ts';
import { describeScope, type ScopeReader } from './describe-scope.ts';

type ScopeLister = ScopeReader & {
  readonly scopes: Pick<ScopeStore, 'orders' | 'listed'>;
  readonly providers: Pick<ProviderStore, 'list'>;
  readonly namesOf: NamesReader;
};

type ListRequest = {
  readonly connectorId: ConnectorId | null;
  readonly q: string;
  readonly limit: number;
  readonly cursor: string | null;
};

const Place = v.object({ prefix: v.number(), after: v.nullable(v.string()) });
type Place = v.InferOutput<typeof Place>;

const scopesPerRead = 100;
/** A page looks at no more: few of many scopes may have the words that are looked for. */
const mostScopesRead = 2_000;
const describedInFlight = 8;
/** A list reports a job with more runs that it has at least this many. */
const runsCounted = 100;

/** A page of the scopes of a workspace, or of a connector's documents and feeds, in the order of their keys (C-FORGET-1). */
export async function listScopes(
  ports: ScopeLister,
  workspace: WorkspaceId,
  { connectorId, q, limit, cursor }: ListRequest,
): Promise<ScopePage> {
  const listing: BoundList = ['scopes', workspace, connectorId, q];
  const place = openedGraph(workspace, await ports.namesOf(workspace));
  const prefixes = connectorId === null ? [''] : await prefixesOf(ports, workspace, connectorId);
  const start = readCursor(listing, Place, cursor) ?? { prefix: 0, after: null };
  const { heads, next } = await headsFrom(ports, place.graph, { prefixes, start, q: q.toLowerCase(), limit });
  const items: EvidenceScope[] = await inParallel(describedInFlight, heads, (head) =>
    describeScope(ports, place, head, runsCounted),
  );
  return { workspace_id: workspace, items, next_cursor: next && writeCursor(listing, next) };
}

/** What the keys of a connector's scopes begin with: those of its documents, and of the feeds that are bound to it. */
async function prefixesOf({ providers }: ScopeLister, workspace: WorkspaceId, connector: ConnectorId) {
  const found = [`connector:${connector}:`];
  for await (const { provider } of providers.list(workspace, null))
    if (provider.connector_id === connector) found.push(`provider:${provider.id}:`);
  return found;
}

type Walk = {
  readonly prefixes: readonly string[];
  readonly start: Place;
  readonly q: string;
  readonly limit: number;
};

async function headsFrom({ scopes }: ScopeLister, graph: OpenGraph['graph'], { prefixes, start, q, limit }: Walk) {
  const heads: ScopeHead[] = [];
  let read = 0;
  let { prefix, after } = start;
  while (prefix < prefixes.length) {
    const found = await scopes.listed(graph, { prefix: prefixes[prefix] ?? '', after, limit: scopesPerRead });
    for (const head of found) {
      if (heads.length === limit) return { heads, next: { prefix, after } };
      after = scopePlace(head);
      if (head.scopeKey.toLowerCase().includes(q)) heads.push(head);
    }
    read += found.length;
    if (found.length < scopesPerRead) [prefix, after] = [prefix + 1, null];
    if (read >= mostScopesRead && prefix < prefixes.length) return { heads, next: { prefix, after } };
  }
  return { heads, next: null };
}
