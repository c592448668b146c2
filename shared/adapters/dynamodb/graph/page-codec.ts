import { type Claim, type NodeFacts, noFacts, type Page, type Side } from '../../../domain/graph/claim.ts';
import { type NodeId, nodeIdLength, type ScopeId, scopeIdLength } from '../../../domain/graph/ids.ts';
import { type Micros, micros, type Order } from '../../../domain/graph/order.ts';
import type { Urn } from '../../../domain/lineage/node.ts';
import type { Item } from '../batch-get.ts';

/**
 * Attribute names of a page. Claims of snapshot and static scopes are one string set of neighbours a (scope, order);
 * those of observed scopes are two registers a (neighbour, scope). Fixed widths, so that names need no separators.
 */
export const attribute = {
  urn: 'u',
  /** Random at each write, so that an empty page is deleted only if nobody wrote it since it was read. */
  written: 'w',
  level: 'b',
  droppedAt: 'x',
  aliasOf: 'ao',
  aliases: 'am',
  renamedTo: 'rt',
  renamedFrom: 'rf',
  claims: (kind: 'snapshot' | 'static', scope: ScopeId, order: Order) => `${claimLetter[kind]}${scope}${order}`,
  last: (other: NodeId, scope: ScopeId) => `l${other}${scope}`,
  first: (other: NodeId, scope: ScopeId) => `f${other}${scope}`,
} as const;

const claimLetter = { snapshot: 's', static: 'd' } as const;
const orderStart = 1 + scopeIdLength;
const shortestClaim = orderStart + 1;

/** The page that an item holds; hot and cold pages read alike. */
export function pageOf(side: Side, item: Item): Page {
  const sk = item['sk']?.S ?? '';
  const claims: Claim[] = [];
  for (const name in item) if (name.length >= shortestClaim) addClaims(claims, name, item);
  return {
    node: sk.slice(0, nodeIdLength) as NodeId,
    side,
    number: Number(sk.slice(nodeIdLength + 1)),
    urn: (item[attribute.urn]?.S as Urn | undefined) ?? null,
    level: Number(item[attribute.level]?.N ?? 0),
    facts: factsOf(item),
    claims,
  };
}

function addClaims(claims: Claim[], name: string, item: Item): void {
  const letter = name.charAt(0);
  const value = item[name];
  if (letter === 'l' && value?.N !== undefined) {
    const other = name.slice(1, 1 + nodeIdLength) as NodeId;
    const scope = name.slice(1 + nodeIdLength) as ScopeId;
    const last = microsOfNumber(value.N);
    const first = item[attribute.first(other, scope)]?.N;
    claims.push({ kind: 'observed', other, scope, last, first: first === undefined ? last : microsOfNumber(first) });
  } else if ((letter === 's' || letter === 'd') && value?.SS !== undefined) {
    const kind = letter === 's' ? 'snapshot' : 'static';
    const scope = name.slice(1, orderStart) as ScopeId;
    const order = name.slice(orderStart) as Order;
    for (const element of value.SS) claims.push({ kind, scope, order, ...elementOf(element) });
  }
}

/** An element of a set of claims: the neighbour and, in history, the first of the orders that it stands for. */
export const claimElement = (other: NodeId, since: Order | null): string => `${other}${since ?? ''}`;

export function elementOf(element: string): { readonly other: NodeId; readonly since?: Order } {
  const other = element.slice(0, nodeIdLength) as NodeId;
  return element.length === nodeIdLength ? { other } : { other, since: element.slice(nodeIdLength) as Order };
}

const microsOfNumber = (text: string): Micros => micros(BigInt(text));

/** `<micros>|<urn>`: a set element, so that adding it again changes nothing. */
export const renameElement = (at: Micros, urn: Urn): string => `${at}|${urn}`;

const factNames = [
  attribute.aliasOf,
  attribute.aliases,
  attribute.renamedTo,
  attribute.renamedFrom,
  attribute.droppedAt,
];

/** What a page says of its node, and the key that tells which node it is. */
export const nameAttributes: readonly string[] = ['sk', attribute.urn, ...factNames];

/** `noFacts` itself where there are none, which is nearly always. */
function factsOf(item: Item): NodeFacts {
  if (!factNames.some((name) => item[name] !== undefined)) return noFacts;
  const renames = (name: string) =>
    (item[name]?.SS ?? []).map((element) => ({ at: element.slice(0, 18) as Micros, urn: element.slice(19) as Urn }));
  const urns = (name: string) => (item[name]?.SS ?? []) as Urn[];
  const dropped = item[attribute.droppedAt]?.N;
  return {
    aliasOf: urns(attribute.aliasOf),
    aliases: urns(attribute.aliases),
    renamedTo: renames(attribute.renamedTo),
    renamedFrom: renames(attribute.renamedFrom),
    droppedAt: dropped === undefined ? null : microsOfNumber(dropped),
  };
}
