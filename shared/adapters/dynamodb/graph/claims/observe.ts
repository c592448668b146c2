import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { Side } from '../../../../domain/graph/claim.ts';
import { type NodeId, nodeId } from '../../../../domain/graph/ids.ts';
import type { Urn } from '../../../../domain/graph/node.ts';
import type { Micros } from '../../../../domain/graph/order.ts';
import type { Edge, ScopeIdentity } from '../../../../domain/graph/ports.ts';
import type { Item } from '../../batch-get.ts';
import { pageKey } from '../../keys/graph-keys.ts';
import { type UpdateExpression, updateItem, writeStamp } from '../../update-item.ts';
import { attribute, levelOf, observerText } from '../codec/codec.ts';
import { type GraphWriter, pagesFor, raiseLevelIfFull, rememberLevel, type SideOfNode } from './levels.ts';

/** That a scope saw edges at a time. */
type Observation = { readonly scope: ScopeIdentity; readonly at: Micros };

type Neighbourhood = SideOfNode & { readonly others: readonly NodeId[] };

const neighbourhoodsInFlight = 24;
const pagesInFlight = 8;
/** An expression holds 4 KB. */
const registersPerUpdate = 60;
/** A reader finds the scope's head where its name is too long to be stored on each node that the scope writes. */
const maxObserverLength = 300;
/** A job may be named anew by each of its runs: beyond so many units a write, its name is stored in its head alone. */
const maxUnitsWithObservers = 8;

/** Widens the registers of a scope's edges to a time, on the pages of both ends. */
export async function observeEdges(
  writer: GraphWriter,
  edges: readonly Edge[],
  observation: Observation,
): Promise<void> {
  await inParallel(neighbourhoodsInFlight, neighbourhoods(edges), (one) => observe(writer, one, observation));
}

function neighbourhoods(edges: readonly Edge[]): Neighbourhood[] {
  const of = (side: Side, self: (edge: Edge) => Urn, other: (edge: Edge) => Urn): Neighbourhood[] =>
    [...Map.groupBy(edges, self)].map(([urn, found]) => ({
      side,
      urn,
      others: [...new Set(found.map((edge) => nodeId(other(edge))))],
    }));
  const [from, to] = [(edge: Edge) => edge.from, (edge: Edge) => edge.to];
  return [...of('out', from, to), ...of('in', to, from)];
}

async function observe(writer: GraphWriter, one: Neighbourhood, observation: Observation): Promise<void> {
  await inParallel(
    pagesInFlight,
    [...(await pagesFor(writer, one, one.others, observation.scope.scope))],
    ([page, others]) => observeOnPage(writer, { ...one, others }, page, observation),
  );
}

async function observeOnPage(
  writer: GraphWriter,
  one: Neighbourhood,
  page: number,
  observation: Observation,
): Promise<void> {
  const key = pageKey(writer.workspace, one.side, nodeId(one.urn), page);
  const name = `${writer.workspace} ${one.urn}`;
  const isNamed = page === 0 && one.side === 'in' && !writer.state.withoutObservers.has(name);
  let pending = observationsDue({}, one, observation);
  let units = 0;
  while (pending.length > 0) {
    const now = pending.slice(0, registersPerUpdate);
    const answer = await updateItem(writer.table, key, registering({ ...one, page }, now, observation, isNamed));
    if (answer.refused === null) {
      pending = pending.slice(now.length);
      units = answer.units;
      continue;
    }
    if (page === 0 && levelOf(one.side, answer.refused) > 0) {
      rememberLevel(writer, one, answer.refused);
      return observe(writer, one, observation);
    }
    // Refused: some register already spans the time; what is still due follows from the item that refused.
    pending = observationsDue(answer.refused, one, observation);
  }
  if (isNamed && units > maxUnitsWithObservers) writer.state.withoutObservers.set(name, true);
  await raiseLevelIfFull(writer, one, page, units);
}

type Due = { readonly other: NodeId; readonly end: 'first' | 'last' };

/** Which registers must still move to span the time, seen against the item. */
function observationsDue(item: Item, { side, others }: Neighbourhood, { scope: { scope }, at }: Observation): Due[] {
  const time = BigInt(at);
  return others.flatMap((other): Due[] => {
    const last = item[attribute.last(side, other, scope)]?.N;
    if (last === undefined || BigInt(last) < time) return [{ other, end: 'last' }];
    const first = item[attribute.first(side, other, scope)]?.N ?? last;
    return BigInt(first) > time ? [{ other, end: 'first' }] : [];
  });
}

function registering(
  { side, urn, page }: SideOfNode & { readonly page: number },
  due: readonly Due[],
  { scope: identity, at }: Observation,
  isNamed: boolean,
): UpdateExpression {
  const observer = isNamed ? observerOf(identity) : null;
  const names: Record<string, string> = observer ? { '#k': observer.name } : {};
  const sets = ['w = :w', ...(page === 0 ? ['u = :u'] : []), ...(observer ? ['#k = :k'] : [])];
  const conditions = page === 0 ? [`attribute_not_exists(${attribute.level(side)})`] : [];
  for (const [i, { other, end }] of due.entries()) {
    const [f, l] = [`#f${i}`, `#l${i}`];
    names[f] = attribute.first(side, other, identity.scope);
    if (end === 'first') {
      sets.push(`${f} = :t`);
      conditions.push(`(attribute_not_exists(${f}) OR ${f} > :t)`);
    } else {
      names[l] = attribute.last(side, other, identity.scope);
      sets.push(`${l} = :t`, `${f} = if_not_exists(${f}, :t)`);
      conditions.push(`(attribute_not_exists(${l}) OR ${l} < :t)`);
    }
  }
  return {
    UpdateExpression: `SET ${sets.join(', ')}`,
    ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: {
      ...(page === 0 && { ':u': { S: urn } }),
      ...(observer && { ':k': { S: observer.text } }),
      ':w': writeStamp(),
      ':t': { N: BigInt(at).toString() },
    },
  };
}

function observerOf(identity: ScopeIdentity): { readonly name: string; readonly text: string } | null {
  const text = observerText(identity);
  return text.length > maxObserverLength ? null : { name: attribute.observer(identity.scope), text };
}
