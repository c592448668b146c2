import { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { pageNumber, type Side } from '../../../domain/graph/claim.ts';
import { type NodeId, nodeId, type ScopeId } from '../../../domain/graph/ids.ts';
import type { Micros } from '../../../domain/graph/order.ts';
import type { ClaimWriter, Edge } from '../../../domain/graph/ports.ts';
import { inParallel } from '../../../domain/in-parallel.ts';
import type { Urn } from '../../../domain/lineage/node.ts';
import { batchGet, type Item } from '../batch-get.ts';
import { pageKey } from '../keys.ts';
import type { Meter, Table } from '../table.ts';
import { updateItem, written } from '../update-item.ts';
import { forgetPages } from './forget.ts';
import { forgetObservationsOf } from './forget-observations.ts';
import { writeAlias, writeDrop, writeRename } from './node-facts.ts';
import { attribute, pageOf } from './page-codec.ts';
import { prunePages } from './prune.ts';
import { observedSpans, withdrawObservation } from './withdraw.ts';

/** Neighbours that a page aims at: a write costs a unit a KB of the page, so 4 KB is the limit. */
const neighboursAPage = 60;
/** A write that consumed more says that the page has grown too fat to be written often. */
const fatWriteUnits = 4;
const writesInFlight = 24;
/** An expression holds 4 KB. */
const registersAnUpdate = 60;

/** What the claim writer keeps between calls: levels are only ever raised, so an old one is safe, never wrong. */
export type WriterState = { readonly levels: LRUCache<string, number>; readonly facts: LRUCache<string, true> };

export const newWriterState = (): WriterState => ({
  levels: new LRUCache({ max: 100_000 }),
  facts: new LRUCache({ max: 50_000 }),
});

type Writer = {
  readonly table: Table;
  readonly state: WriterState;
  readonly workspace: WorkspaceId;
  readonly meter: Meter | undefined;
};

type SideOfNode = { readonly side: Side; readonly urn: Urn; readonly node: NodeId };
type Neighbourhood = SideOfNode & { readonly others: readonly NodeId[] };

/** The claim writer over a table of neighbour pages (`graph.md`, section 6). */
export function claimWriter(table: Table, state: WriterState, meter?: Meter): ClaimWriter {
  const writer = (workspace: WorkspaceId): Writer => ({ table, state, workspace, meter });
  return {
    claim: async (workspace, { kind, scope, order, edges }) => {
      const name = attribute.claims(kind, scope, order);
      await inParallel(writesInFlight, neighbourhoods(edges), (one) => addClaims(writer(workspace), one, name));
    },
    observe: async (workspace, { scope, at, edges }) => {
      await inParallel(writesInFlight, neighbourhoods(edges), (one) =>
        observeNeighbours(writer(workspace), one, scope, at),
      );
    },
    observed: (workspace, scope, edges) => observedSpans(writer(workspace), workspace, scope, edges),
    withdraw: (workspace, withdrawal) => withdrawObservation(writer(workspace), workspace, withdrawal),
    alias: (workspace, alias, canonical) =>
      once(state, `${workspace} alias ${alias} ${canonical}`, () =>
        writeAlias(writer(workspace), workspace, alias, canonical),
      ),
    rename: (workspace, from, to, at) =>
      once(state, `${workspace} rename ${from} ${to} ${at}`, () =>
        writeRename(writer(workspace), workspace, { from, to, at }),
      ),
    drop: (workspace, node, at) =>
      once(state, `${workspace} drop ${node} ${at}`, () => writeDrop(writer(workspace), workspace, node, at)),
    prune: (workspace, dead) => prunePages(writer(workspace), workspace, dead),
    forget: (workspace, dead) => forgetPages(writer(workspace), workspace, dead),
    forgetObservations: (workspace, page, observations) =>
      forgetObservationsOf(writer(workspace), workspace, page, observations),
  };
}

/** Groups edges by the page-0 node of both ends: all neighbours of a node and scope go in one write. */
function neighbourhoods(edges: readonly Edge[]): Neighbourhood[] {
  const found = new Map<string, SideOfNode & { others: NodeId[] }>();
  const add = (side: Side, urn: Urn, other: NodeId) => {
    const key = `${side}${urn}`;
    const known = found.get(key);
    if (known) known.others.push(other);
    else found.set(key, { side, urn, node: nodeId(urn), others: [other] });
  };
  for (const { from, to } of edges) {
    add('out', from, nodeId(to));
    add('in', to, nodeId(from));
  }
  return [...found.values()];
}

const levelKey = (writer: Writer, { side, node }: SideOfNode) => `${writer.workspace} ${side} ${node}`;
const levelOf = (writer: Writer, one: SideOfNode) => writer.state.levels.get(levelKey(writer, one)) ?? 0;

/** Calls `write` for each page that takes some of the neighbours, at the level that is known; again where it was refused. */
async function atLevel(
  writer: Writer,
  one: Neighbourhood,
  write: (page: number, others: readonly NodeId[]) => Promise<number>,
): Promise<void> {
  let wanted = levelOf(writer, one);
  while (one.others.length / 2 ** wanted > neighboursAPage) wanted++;
  if (wanted > levelOf(writer, one)) await widen(writer, one, wanted);
  const level = levelOf(writer, one);
  const pages = Map.groupBy(one.others, (other) => pageNumber(level, other));
  await inParallel(8, [...pages], async ([page, others]) => {
    if ((await write(page, others)) > fatWriteUnits) await widenIfCrowded(writer, one, level, page);
  });
}

async function addClaims(writer: Writer, one: Neighbourhood, name: string): Promise<void> {
  await atLevel(writer, one, async (page, others) => {
    const set = { SS: [...new Set(others)] };
    const answer = await updateItem(writer, pageKey(writer.workspace, one.side, one.node, page), {
      UpdateExpression: page === 0 ? 'SET u = :u, w = :w ADD #n :set' : 'SET w = :w ADD #n :set',
      ...(page === 0 && { ConditionExpression: 'attribute_not_exists(b)' }),
      ExpressionAttributeNames: { '#n': name },
      ExpressionAttributeValues: { ...(page === 0 && { ':u': { S: one.urn } }), ':w': written(), ':set': set },
    });
    if (answer.refused === null) return answer.units;
    rememberLevel(writer, one, answer.refused);
    await addClaims(writer, { ...one, others }, name);
    return 0;
  });
}

async function observeNeighbours(writer: Writer, one: Neighbourhood, scope: ScopeId, at: Micros): Promise<void> {
  await atLevel(writer, one, async (page, others) => {
    const key = pageKey(writer.workspace, one.side, one.node, page);
    const neighbours = [...new Set(others)];
    let pending = observationsDue({}, neighbours, scope, at);
    let units = 0;
    while (pending.length > 0) {
      const now = pending.slice(0, registersAnUpdate);
      const answer = await updateItem(writer, key, observation(one, page, now, scope, at));
      if (answer.refused === null) {
        pending = pending.slice(now.length);
        units = answer.units;
        continue;
      }
      if (page === 0 && answer.refused[attribute.level] !== undefined) {
        rememberLevel(writer, one, answer.refused);
        await observeNeighbours(writer, { ...one, others }, scope, at);
        return 0;
      }
      // Refused: some register already spans the time; what is still due follows from the item that refused.
      pending = observationsDue(answer.refused, neighbours, scope, at);
    }
    return units;
  });
}

type Due = { readonly other: NodeId; readonly end: 'first' | 'last' };

/** Which registers must still move to span `at`, seen against the item. */
function observationsDue(item: Item, others: readonly NodeId[], scope: ScopeId, at: Micros): Due[] {
  const time = BigInt(at);
  return others.flatMap((other): Due[] => {
    const last = item[attribute.last(other, scope)]?.N;
    if (last === undefined || BigInt(last) < time) return [{ other, end: 'last' }];
    const first = item[attribute.first(other, scope)]?.N ?? last;
    return BigInt(first) > time ? [{ other, end: 'first' }] : [];
  });
}

function observation(one: Neighbourhood, page: number, due: readonly Due[], scope: ScopeId, at: Micros) {
  const names: Record<string, string> = {};
  const sets = page === 0 ? ['u = :u', 'w = :w'] : ['w = :w'];
  const conditions = page === 0 ? ['attribute_not_exists(b)'] : [];
  due.forEach(({ other, end }, i) => {
    const [f, l] = [`#f${i}`, `#l${i}`];
    names[f] = attribute.first(other, scope);
    if (end === 'first') {
      sets.push(`${f} = :t`);
      conditions.push(`(attribute_not_exists(${f}) OR ${f} > :t)`);
      return;
    }
    names[l] = attribute.last(other, scope);
    sets.push(`${l} = :t`, `${f} = if_not_exists(${f}, :t)`);
    conditions.push(`(attribute_not_exists(${l}) OR ${l} < :t)`);
  });
  return {
    UpdateExpression: `SET ${sets.join(', ')}`,
    ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: {
      ...(page === 0 && { ':u': { S: one.urn } }),
      ':w': written(),
      ':t': { N: BigInt(at).toString() },
    },
  };
}

/** Raises a node's level before any page of it is written: a reader that sees the level reads those pages. */
async function widen(writer: Writer, one: SideOfNode, level: number): Promise<void> {
  const answer = await updateItem(writer, pageKey(writer.workspace, one.side, one.node, 0), {
    UpdateExpression: 'SET b = :b, u = :u',
    ConditionExpression: 'attribute_not_exists(b) OR b < :b',
    ExpressionAttributeValues: { ':b': { N: String(level) }, ':u': { S: one.urn } },
  });
  if (answer.refused === null) writer.state.levels.set(levelKey(writer, one), level);
  else rememberLevel(writer, one, answer.refused);
}

/** Fat by many neighbours: widen. Fat by dead orders: leave it, pruning makes it thin and a level never falls again. */
async function widenIfCrowded(writer: Writer, one: Neighbourhood, level: number, page: number): Promise<void> {
  const items = await batchGet(writer.table, [pageKey(writer.workspace, one.side, one.node, page)]);
  const neighbours = new Set(items.flatMap((item) => pageOf(one.side, item).claims.map(({ other }) => other)));
  if (neighbours.size > neighboursAPage) await widen(writer, one, level + 1);
}

function rememberLevel(writer: Writer, one: SideOfNode, item: Item): void {
  writer.state.levels.set(levelKey(writer, one), Number(item[attribute.level]?.N ?? 0));
}

/** Writes a fact at most once a process: producers repeat their symlinks with every event. */
async function once(state: WriterState, fact: string, write: () => Promise<void>): Promise<void> {
  if (state.facts.has(fact)) return;
  await write();
  state.facts.set(fact, true);
}
