import { inParallel } from '../../../../domain/base/concurrency.ts';
import { pagesOfNeighbour, type Side } from '../../../../domain/lineage/graph/claim.ts';
import type { Edge, Narrowing } from '../../../../domain/lineage/graph/claim-writer.ts';
import { type NodeId, nodeId, type ScopeId } from '../../../../domain/lineage/graph/node.ts';
import { extendSpan, type Span } from '../../../../domain/lineage/graph/order.ts';
import { pageKey } from '../../keys/graph-keys.ts';
import { type Key, keyName } from '../../keys/registry-keys.ts';
import { type Item, itemsByKey } from '../../requests/items.ts';
import { attribute, pageOf } from '../codec.ts';
import { levelsOf } from './claim-pages.ts';
import type { GraphWriter } from './levels.ts';
import { changeRegisters, type RegisterChange } from './registers.ts';

const pagesInFlight = 16;

type End = { readonly side: Side; readonly node: NodeId; readonly other: NodeId };

/** Narrows the registers of edges of one scope to what remains. Returns edges whose registers changed meanwhile. */
export async function narrowObservations(
  writer: GraphWriter,
  scope: ScopeId,
  narrowings: readonly Narrowing[],
): Promise<Edge[]> {
  const ends = narrowings.flatMap((narrowing) => endsOf(narrowing.edge).map((end) => ({ ...end, narrowing })));
  const keysOf = await pageKeysOf(writer, scope, ends);
  const items = await itemsByKey(writer.table, ends.flatMap(keysOf));
  const changes = ends.flatMap(({ narrowing, ...end }) => {
    const names = attribute.registers(end.side, end.other, scope);
    return changesOf(names, keysOf(end), items, narrowing);
  });
  const pages = Map.groupBy(changes, ({ page }) => keyName(page));
  const moved = await inParallel(pagesInFlight, [...pages.values()], async (ofPage) => {
    const [first] = ofPage;
    return first ? changeRegisters(writer.table, first.page, ofPage) : [];
  });
  return [...new Set(moved.flat().map(({ edge }) => edge))];
}

/** Which of the edges a scope has observed, and when, as the pages of their upstream ends say. */
export async function observedSpans(
  writer: GraphWriter,
  scope: ScopeId,
  edges: readonly Edge[],
): Promise<{ edge: Edge; span: Span }[]> {
  const ends = edges.flatMap((edge) => endsOf(edge).filter(({ side }) => side === 'out'));
  const keysOf = await pageKeysOf(writer, scope, ends);
  const items = await itemsByKey(writer.table, ends.flatMap(keysOf));
  const spans = new Map<string, Span>();
  for (const { node, claims } of [...items.values()].map((item) => pageOf('out', item)))
    for (const claim of claims)
      if (claim.kind === 'observed' && claim.scope === scope) extendSpan(spans, `${node}${claim.other}`, claim);
  return edges.flatMap((edge) => {
    const span = spans.get(`${nodeId(edge.from)}${nodeId(edge.to)}`);
    return span ? [{ edge, span }] : [];
  });
}

function endsOf({ from, to }: Edge): End[] {
  const [upstream, downstream] = [nodeId(from), nodeId(to)];
  return [
    { side: 'out', node: upstream, other: downstream },
    { side: 'in', node: downstream, other: upstream },
  ];
}

/** The keys of the pages on which an end's registers may be; none if there is no such node. */
async function pageKeysOf(writer: GraphWriter, scope: ScopeId, ends: readonly End[]): Promise<(end: End) => Key[]> {
  const levels = await levelsOf(writer, [...new Set(ends.map(({ node }) => node))]);
  return ({ side, node, other }) => {
    const level = levels.get(node)?.[side];
    if (level === undefined) return [];
    return pagesOfNeighbour(level, other, scope).map((page) => pageKey(writer.graph, side, node, page));
  };
}

/** What remains is stated once, on the first page that holds a register; the others lose theirs. */
function changesOf(
  names: RegisterChange['names'],
  keys: readonly Key[],
  items: ReadonlyMap<string, Item>,
  { edge, remaining }: Narrowing,
): (RegisterChange & { readonly page: Key; readonly edge: Edge })[] {
  const holding = keys.flatMap((page) => {
    const item = items.get(keyName(page));
    const last = item?.[names.last];
    return last ? [{ page, read: { first: item?.[names.first] ?? last, last } }] : [];
  });
  return holding.map((one, i) => ({ ...one, names, edge, remaining: i === 0 ? remaining : null }));
}
