import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ConnectorId, WorkspaceId } from '../../../../shared/contract/ids.ts';
import type { RelationItem } from '../../../../shared/contract/relations.ts';
import { noFacts, type Side } from '../../../../shared/domain/lineage/graph/claim.ts';
import { nameList } from '../../../../shared/domain/lineage/graph/name-list.ts';
import { indexedTails, nameTails, searchWords } from '../../../../shared/domain/lineage/graph/name-parts.ts';
import {
  type GraphId,
  graphOf,
  nodeId,
  nodeOf,
  relationRefOf,
  type ScopeId,
  scopeId,
  shardOf,
  type Urn,
  urnOf,
} from '../../../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder } from '../../../../shared/domain/lineage/graph/order.ts';
import type { GraphNode } from '../../../../shared/domain/lineage/graph/page-reader.ts';
import type { ScopeHead } from '../../../../shared/domain/lineage/graph/scope-store.ts';
import { findColumns } from '../../../../shared/domain/lineage/queries/relations/find-columns.ts';
import { findRelations } from '../../../../shared/domain/lineage/queries/relations/find-relations.ts';
import { columnFit, fitOf } from '../../../../shared/domain/lineage/queries/relations/resemblance.ts';
import type { GraphQuery } from '../../../../shared/domain/lineage/traversal/graph-view.ts';
import { unchangedSince } from '../../../support/memory-graph.ts';
import { queryOf } from '../../../support/query-of.ts';

const workspace = 'ws_1' as WorkspaceId;
const connectorId = 'con_1' as ConnectorId;
const at = '2026-11-20T10:00:00.000Z';

type Claimed = { readonly from: string; readonly to: string; readonly isLive: boolean; readonly column: string };

const word = fc.constantFrom('ord', 'order', 'orders', 'größe');
/** So few that some have many neighbours, and many that are dead. */
const name = fc
  .tuple(fc.constantFrom('raw', 'stg'), fc.constantFrom('ord', 'order', 'Pay'), fc.constantFrom('_', '.'), word)
  .map(([a, b, mark, c]) => `${a}.${b}${mark}${c}`);
const column = fc.constantFrom(
  'id',
  'id_old',
  'idle',
  'Total',
  'id#000000',
  'net_total',
  'net_totals',
  'subtotal',
  'tidl',
);
const claims = fc.array(fc.record({ from: name, to: name, isLive: fc.boolean(), column }), {
  minLength: 1,
  maxLength: 60,
});
const query = fc.oneof(
  fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
  name,
  fc.constant('or'),
);

it('finds page after page what a look at every relation finds, in its order, whatever is live (C-RELATION-1, C-RELATION-2)', async () => {
  await fc.assert(
    fc.asyncProperty(claims, query, fc.integer({ min: 1, max: 9 }), async (claimed, q, limit) => {
      const [refs, first] = [await found(graphOfClaims(claimed), q, limit), expected(claimed, q)];
      expect(refs.slice(0, first.length)).toEqual(first);
      expect(refs.slice(first.length).toSorted()).toEqual(expectedResembling(claimed, q));
    }),
    { numRuns: 300 },
  );
});

it('finds by columns what a look at every live statement finds, whatever was posted once (C-RELATION-4, C-RELATION-7)', async () => {
  const before = fc.constantFrom('', 'ord ', 'raw stg ');
  const kind = fc
    .tuple(before, fc.constantFrom('id', 'ID_', 'idl', 'total', 'x', 'id#0', 'tot', 'toatl', 'nettotal', 'idel'))
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(claims, kind, fc.constantFrom(1, 2, 5, 100), async (claimed, q, limit) => {
      const items: RelationItem[] = [];
      let cursor: string | null = null;
      do {
        const page = await findColumns(graphOfClaims(claimed), { workspace, connectorId, query: q, limit, cursor });
        items.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor !== null);
      const begins = expectedColumns(claimed, q, (name, word) => name.startsWith(word));
      const worst = (word: string) => (claimed.some((one) => one.column.toLowerCase().includes(word)) ? 1 : 2);
      const resembles = expectedColumns(claimed, q, (name, word) => columnFit(word, name) === worst(word));
      expect(pairsOf(items)).toEqual(pairsOf([...begins, ...resembles]));
      const first = items.slice(0, begins.length).map(({ relation_ref }) => relation_ref);
      if (limit === 100) expect(first).toEqual(begins.map(({ relation_ref }) => relation_ref));
    }),
    { numRuns: 300 },
  );
});

/** Each relation with each of its columns, sorted: a page may end between two columns of a relation. */
const pairsOf = (items: readonly Pick<RelationItem, 'relation_ref' | 'columns'>[]) =>
  items.flatMap(({ relation_ref, columns = [] }) => columns.map((name) => `${relation_ref} ${name}`)).sort();

function expectedColumns(claimed: readonly Claimed[], q: string, fits: (name: string, word: string) => boolean) {
  const at = q.lastIndexOf(' ');
  const [words, word] = [searchWords(q.slice(0, Math.max(0, at))), q.slice(at + 1).toLowerCase()];
  const live = claimed.filter(({ isLive }) => isLive);
  const isMatch = (ref: string) => words.every((one) => nameTails(ref).some((tail) => tail.startsWith(one)));
  return [...new Set(live.flatMap(({ from, to }) => [from, to]))]
    .filter(isMatch)
    .flatMap((ref) => {
      const own = live.filter(({ from, to }) => from === ref || to === ref).map((one) => one.column);
      const columns = [...new Set(own)].filter((one) => fits(one.toLowerCase(), word));
      const degree = neighbours(live, ref, 'in') + neighbours(live, ref, 'out');
      const isExact = columns.some((one) => one.toLowerCase() === word);
      return columns.length === 0 ? [] : [{ relation_ref: ref, degree, isExact, columns }];
    })
    .sort(
      (a, b) =>
        Number(b.isExact) - Number(a.isExact) || b.degree - a.degree || (a.relation_ref < b.relation_ref ? -1 : 1),
    );
}

const neighbours = (live: readonly Claimed[], ref: string, side: Side): number =>
  new Set(live.flatMap(({ from, to }) => (side === 'in' ? (to === ref ? [from] : []) : from === ref ? [to] : []))).size;

async function found(query: SearchQuery, q: string, limit: number) {
  const refs: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await findRelations(query, { workspace, connectorId, query: q, limit, cursor });
    refs.push(...page.items.map((item) => `${item.relation_ref} ${item.upstream_count} ${item.downstream_count}`));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return refs;
}

/** Those that contain each word; if no name that was listed does, dead ones included, those with a typo (C-RELATION-7). */
function expectedResembling(claimed: readonly Claimed[], q: string): string[] {
  const live = claimed.filter(({ isLive }) => isLive);
  const refsOf = (some: readonly Claimed[]) => [...new Set(some.flatMap(({ from, to }) => [from, to]))];
  const words = searchWords(q);
  const fitTo = (ref: string) => fitOf(words, { ref, lower: ref.toLowerCase() });
  const worst = refsOf(claimed).some((ref) => (fitTo(ref) ?? 2) < 2) ? 1 : 2;
  return refsOf(live)
    .filter((ref) => words.length > 0 && fitTo(ref) === worst)
    .map((ref) => `${ref} ${neighbours(live, ref, 'in')} ${neighbours(live, ref, 'out')}`)
    .sort();
}

function expected(claimed: readonly Claimed[], q: string): string[] {
  const words = searchWords(q);
  const live = claimed.filter(({ isLive }) => isLive);
  const refs = [...new Set(live.flatMap(({ from, to }) => [from, to]))];
  const exact = q.trim().toLowerCase();
  return refs
    .filter((ref) => words.every((one) => nameTails(ref).some((tail) => tail.startsWith(one))))
    .map((ref) => {
      const lastPart = ref.toLowerCase().split('.').at(-1);
      const exactness = ref.toLowerCase() === exact ? 0 : lastPart === exact ? 1 : 2;
      return { ref, exactness, up: neighbours(live, ref, 'in'), down: neighbours(live, ref, 'out') };
    })
    .sort((a, b) => a.exactness - b.exactness || b.up + b.down - a.up - a.down || (a.ref < b.ref ? -1 : 1))
    .map(({ ref, up, down }) => `${ref} ${up} ${down}`);
}

const scopes = { live: scopeId('live'), dead: scopeId('dead') };
const order = snapshotOrder(1);
const headOf = (scope: ScopeId): ScopeHead => ({
  scope,
  scopeKey: scope,
  kind: 'snapshot',
  providerType: 'dbt_manifest',
  providerInstanceId: 'p',
  order: snapshotOrder(2),
  floor: scope === scopes.dead ? snapshotOrder(2) : order,
  started: snapshotOrder(2),
  digest: null,
  committedAt: at,
  ...unchangedSince(order),
});

/** The graph and its index of names as they are stored, in memory. */
type SearchQuery = GraphQuery<'names' | 'columns' | 'nameLists'>;

function graphOfClaims(claimed: readonly Claimed[]): SearchQuery {
  const urn = (ref: string): Urn => urnOf({ kind: 'relation', connectorId, ref });
  const pageOf = (ref: string, side: Side) => ({
    node: nodeId(urn(ref)),
    side,
    number: 0,
    claims: claimed
      .filter(({ from, to }) => ref === (side === 'out' ? from : to))
      .map(({ from, to, isLive }) => ({
        kind: 'snapshot' as const,
        other: nodeId(urn(side === 'out' ? to : from)),
        scope: isLive ? scopes.live : scopes.dead,
        order,
      })),
  });
  const detailsInto = (ref: string, scope: ScopeId) => {
    const stated = claimed.filter(({ to, isLive }) => to === ref && (isLive ? scopes.live : scopes.dead) === scope);
    const byFrom = Map.groupBy(stated, ({ from }) => nodeId(urn(from)));
    return new Map(
      [...byFrom].map(([from, some]) => {
        const columns = some.map(({ column: name }) => ({ ...identity, inputColumn: name, outputColumn: name }));
        return [from, [{ order, detail: { ...silent, columns } }]];
      }),
    );
  };
  const nodes = [...new Set(claimed.flatMap(({ from, to }) => [from, to]))]
    .map((ref): GraphNode => {
      const pages = { out: pageOf(ref, 'out'), in: pageOf(ref, 'in') };
      const levels = { out: 0, in: 0 };
      const detailsOf: GraphNode['detailsOf'] = (scope) => ({ inline: detailsInto(ref, scope) });
      const none = { facts: noFacts, schemas: [], observers: [] };
      return { node: nodeId(urn(ref)), urn: urn(ref), ...none, levels, pages, detailsOf };
    })
    .sort((a, b) => (a.node < b.node ? -1 : 1));
  const byId = new Map(nodes.map((one) => [one.node, one]));
  const read = async (_: GraphId, requested: readonly GraphNode['node'][]) =>
    requested.flatMap((node) => byId.get(node) ?? []);
  const tails = nodes.flatMap(({ urn }) => indexedTails(relationRefOf(nodeOf(urn))).own.map((tail) => ({ tail, urn })));
  const entries = tails.map((one) => ({ ...one, place: `${one.tail}#${nodeId(one.urn)}` }));
  const leading = nodes.flatMap(({ urn }) => indexedTails(relationRefOf(nodeOf(urn))).leading);
  const listed = [...new Set(claimed.map((one) => one.column.toLowerCase()))].sort();
  const reader: SearchQuery['reader'] = {
    pages: {
      nodes: read,
      names: read,
      historyNodes: async () => [],
      morePages: async () => [],
      schemas: async () => new Map(),
      historyPages: async () => [],
      scanHistory: async () => [],
      longDetails: async () => new Map(),
      scanNames: async (_, shard) => nodes.filter(({ node }) => shardOf(node) === shard),
      scan: async (_, shard, after, limit) =>
        nodes.filter(({ node }) => shardOf(node) === shard && (after === null || node > after)).slice(0, limit),
    },
    names: {
      beginningWith: async (_, prefix, { after, limit }) => {
        const all = entries
          .filter(({ tail, place }) => tail.startsWith(prefix) && (after === null || place > after))
          .sort((a, b) => (a.place < b.place ? -1 : 1));
        return { entries: all.slice(0, limit), next: all.length > limit ? (all[limit - 1]?.place ?? null) : null };
      },
      leads: async (_, prefix) => leading.some((tail) => tail.startsWith(prefix)),
      wideNodes: async () => [],
    },
    scopes: {
      heads: async (_, requested) => requested.map(headOf),
      history: async () => [],
      partials: async () => new Map(),
      ends: async () => [],
      orders: async () => [],
      ofConnector: async () => [],
    },
    schemas: { get: async () => new Map() },
    columns: { beginningWith: async (_, prefixes, page) => postingsOf(claimed, urn, { prefixes, ...page }) },
    nameLists: { read: async () => nameList({ urns: nodes.map((one) => one.urn), columns: listed, isCut: false }) },
  };
  return queryOf(reader, graphOf(workspace, 0));
}

const identity = { type: 'DIRECT', subtype: 'IDENTITY', masking: false } as const;
const silent = {
  producer: { namespace: '', name: '' },
  deliveryId: '',
  location: '',
  observedAt: at,
  statementKind: null,
  principal: null,
  unresolved: [],
};

/**
 * What was posted of all claims, also of those that are dead: first those of every third claim, a relation at a time,
 * then two relations a posting.
 */
function postingsOf(
  claimed: readonly Claimed[],
  urnOf: (ref: string) => Urn,
  {
    prefixes,
    after,
    limit,
  }: { readonly prefixes: readonly string[]; readonly after: string | null; readonly limit: number },
) {
  const pairs = claimed.flatMap(({ from, to, column }, i) =>
    [from, to].map((ref) => ({ ref, column: column.toLowerCase(), isRecent: i % 3 === 0 })),
  );
  const [recent, older] = [pairs.filter(({ isRecent }) => isRecent), pairs.filter(({ isRecent }) => !isRecent)];
  const ofRecent = [...Map.groupBy(recent, ({ ref }) => ref)].map(([ref, some]) => ({
    columns: some.map(({ column }) => column).filter((column) => prefixes.some((one) => column.startsWith(one))),
    urns: [urnOf(ref)],
    place: `N${ref}`,
  }));
  const ofOlder = [...Map.groupBy(older, (one) => one.column)].flatMap(([column, some]) =>
    Array.from({ length: Math.ceil(some.length / 2) }, (_, n) => ({
      columns: [column],
      urns: some.slice(2 * n, 2 * n + 2).map(({ ref }) => urnOf(ref)),
      place: `P${column}#${String(n).padStart(6, '0')}`,
    })),
  );
  const left = [
    ...ofRecent.filter(({ columns }) => columns.length > 0),
    ...ofOlder.filter(({ place }) => prefixes.some((one) => place.startsWith(`P${one}`))),
  ]
    .filter(({ place }) => after === null || place > after)
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  return { postings: left.slice(0, limit), next: left.length > limit ? (left[limit - 1]?.place ?? null) : null };
}
