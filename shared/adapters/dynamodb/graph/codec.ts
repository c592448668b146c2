import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { memoised, once } from '../../../domain/base/caching.ts';
import { isUuid } from '../../../domain/base/collections.ts';
import {
  type Claim,
  type NodeFacts,
  noFacts,
  type Page,
  type PageSide,
  type Side,
} from '../../../domain/lineage/graph/claim.ts';
import {
  type NodeId,
  nodeIdLength,
  type ScopeId,
  scopeIdLength,
  type Urn,
} from '../../../domain/lineage/graph/node.ts';
import { type Micros, microsOfDigits, type Order } from '../../../domain/lineage/graph/order.ts';
import type { DetailedPage, GraphNode } from '../../../domain/lineage/graph/page-reader.ts';
import type { ScopeIdentity } from '../../../domain/lineage/graph/scope-store.ts';
import { historySuffix } from '../keys/graph-keys.ts';
import type { Item } from '../requests/items.ts';
import { pageDetailsOf } from './details/packed-details.ts';

/**
 * Attribute names of nodes and pages. Claims of snapshot and static scopes are one string set of neighbours a
 * (side, scope, order); those of observed scopes are two registers a (side, neighbour, scope). A schema stands as a neighbour does. Fixed widths, so that
 * names need no separators.
 */
export const attribute = {
  urn: 'u',
  /** Random at each write, so that an empty page is deleted only if nobody wrote it since it was read. */
  written: 'w',
  droppedAt: 'x',
  aliasOf: 'ao',
  aliases: 'am',
  renamedTo: 'rt',
  renamedFrom: 'rf',
  level: (side: Side) => levelName[side],
  claims: (side: PageSide, kind: 'snapshot' | 'static', scope: ScopeId, order: Order) =>
    `${sideLetter[side]}${claimLetter[kind]}${scope}${order}`,
  /** Of both times of an observation. */
  registers: (side: PageSide, other: NodeId, scope: ScopeId) => ({
    first: `${sideLetter[side]}f${other}${scope}`,
    last: `${sideLetter[side]}l${other}${scope}`,
  }),
  /** Who an observed scope of the node's upstream side is, so that a reader of the edge need not read its head. */
  observer: (scope: ScopeId) => `k${scope}`,
  /** What the scope knows of the edges that it claims on the page: packed, or the name of the item that holds it. */
  details: (scope: ScopeId) => `e${scope}`,
} as const;

const sideLetter = { out: 'o', in: 'i', schema: 'c' } as const;
const sideOfLetter: Readonly<Record<string, PageSide>> = { o: 'out', i: 'in', c: 'schema' };
const levelName = { out: 'ob', in: 'ib' } as const;
const claimLetter = { snapshot: 's', static: 'd' } as const;
const scopeStart = 2;
const orderStart = scopeStart + scopeIdLength;
const otherEnd = scopeStart + nodeIdLength;
const shortestClaim = orderStart + 1;

export const isObserver = (name: string): boolean => name.length === 1 + scopeIdLength && name.startsWith('k');

export function graphNodeOf(item: Item): GraphNode {
  const node = nodeIdOf(item);
  const names = { out: [] as string[], in: [] as string[], schema: [] as string[] };
  const observers: ScopeIdentity[] = [];
  let hasFacts = false;
  // A walk reads hundreds of items: one pass over what is there, and no look at what hardly ever is.
  for (const name in item) {
    if (name.length >= shortestClaim) names[sideOfLetter[name.charAt(0)] ?? 'in'].push(name);
    else if (isObserver(name)) observers.push(observerOf(name, item[name]?.S ?? '[]'));
    else hasFacts ||= factNames.has(name);
  }
  const pageOn = (side: Side) => firstPage(node, side, () => claimsOf(names[side], item));
  return {
    node,
    urn: urnOfItem(item),
    facts: hasFacts ? factsOf(item) : noFacts,
    levels: { out: levelOf('out', item), in: levelOf('in', item) },
    pages: { out: pageOn('out'), in: pageOn('in') },
    schemas: claimsOf(names.schema, item),
    observers,
    detailsOf: detailsOn(item),
  };
}

/** The value of a register. */
export const timeValue = (at: Micros): AttributeValue & { readonly N: string } => ({ N: BigInt(at).toString() });

/** Whose claims are read when they are looked at: a walk in one direction looks at one side of most nodes. */
function firstPage(node: NodeId, side: Side, read: () => Claim[]): Page {
  const claims = once(read);
  return {
    node,
    side,
    number: 0,
    get claims() {
      return claims();
    },
  };
}

const detailsOn =
  (item: Item): DetailedPage['detailsOf'] =>
  (scope) =>
    pageDetailsOf(item[attribute.details(scope)]);

export function pageOf(side: Side, item: Item): DetailedPage {
  const number = Number((item['sk']?.S ?? '').slice(nodeIdLength + 1));
  return { node: nodeIdOf(item), side, number, claims: claimsOn(side, item), detailsOf: detailsOn(item) };
}

export const claimsOn = (side: PageSide, item: Item): Claim[] =>
  claimsOf(
    Object.keys(item).filter((name) => name.length >= shortestClaim && name.startsWith(sideLetter[side])),
    item,
  );

function claimsOf(names: readonly string[], item: Item): Claim[] {
  const claims: Claim[] = [];
  for (const name of names) addClaims(claims, name, item);
  return claims;
}

export const nodeIdOf = (item: Item) => (item['sk']?.S ?? '').slice(0, nodeIdLength) as NodeId;

const urnOfItem = (item: Item): Urn => (item[attribute.urn]?.S ?? '') as Urn;

const isHistory = (item: Item): boolean => item['pk']?.S?.endsWith(historySuffix) === true;

export const levelOf = (side: Side, item: Item): number => Number(item[attribute.level(side)]?.N ?? 0);

function addClaims(claims: Claim[], name: string, item: Item): void {
  const value = item[name];
  switch (name.charAt(1)) {
    case 'l': {
      if (value?.N === undefined) return;
      const other = name.slice(scopeStart, otherEnd) as NodeId;
      const scope = name.slice(otherEnd) as ScopeId;
      const last = microsOfDigits(value.N);
      const first = item[`${name.charAt(0)}f${name.slice(scopeStart)}`]?.N;
      claims.push({ kind: 'observed', other, scope, last, first: first === undefined ? last : microsOfDigits(first) });
      return;
    }
    case 's':
    case 'd': {
      const kind = name.charAt(1) === 's' ? 'snapshot' : 'static';
      const scope = name.slice(scopeStart, orderStart) as ScopeId;
      const order = name.slice(orderStart) as Order;
      // In history a claim that names no first order was live only under that order.
      const ofHistory = isHistory(item) ? { since: order } : {};
      for (const element of value?.SS ?? []) claims.push({ kind, scope, order, ...ofHistory, ...elementOf(element) });
    }
  }
}

/** An element of a set of claims: the neighbour and, in history, the first of the orders that it represents. */
export const claimElement = (other: NodeId, since: Order | null): string => `${other}${since ?? ''}`;

export function elementOf(element: string): { readonly other: NodeId; readonly since?: Order } {
  const other = element.slice(0, nodeIdLength) as NodeId;
  return element.length === nodeIdLength ? { other } : { other, since: element.slice(nodeIdLength) as Order };
}

/** Type, instance and key with spaces between; short, because most nodes hold some. */
export const observerText = ({ providerType, providerInstanceId, scopeKey }: ScopeIdentity): string => {
  const prefix = providerPrefix(providerInstanceId);
  const key = scopeKey.startsWith(`${prefix}:`) ? scopeKey.slice(prefix.length) : scopeKey;
  return `${providerType === usualType ? '' : providerType} ${shortId(providerInstanceId)} ${key}`;
};

function observerOf(name: string, text: string): ScopeIdentity {
  const [type = '', id = ''] = text.split(' ', 2);
  const key = text.slice(type.length + id.length + 2);
  const [providerType, providerInstanceId] = [type === '' ? usualType : type, longId(id)];
  // Without the provider, which the text names already.
  const scopeKey = key.startsWith(':') ? providerPrefix(providerInstanceId) + key : key;
  return { scope: name.slice(1) as ScopeId, kind: 'observed', providerType, providerInstanceId, scopeKey };
}

const usualType = 'openlineage';

/** A UUID takes 22 characters; what is none follows a character that no such text has. */
const shortId = (id: string): string =>
  isUuid(id) && id === id.toLowerCase() ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') : `=${id}`;

const longId = memoised(1_000, (short: string): string =>
  short.startsWith('=')
    ? short.slice(1)
    : Buffer.from(short, 'base64url')
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
);

const providerPrefix = (providerInstanceId: string): string => `provider:${providerInstanceId}`;

/** `<micros>|<urn>`: a set element, so that adding it again changes nothing. */
export const renameElement = (at: Micros, urn: Urn): string => `${at}|${urn}`;

const factNames: ReadonlySet<string> = new Set([
  attribute.aliasOf,
  attribute.aliases,
  attribute.renamedTo,
  attribute.renamedFrom,
  attribute.droppedAt,
]);

/** What a page states of its node, and the key that tells which node it is. */
export const nameAttributes: readonly string[] = ['sk', attribute.urn, ...factNames];

function factsOf(item: Item): NodeFacts {
  const renames = (name: string) =>
    (item[name]?.SS ?? []).map((element) => ({ at: element.slice(0, 18) as Micros, urn: element.slice(19) as Urn }));
  const urns = (name: string) => (item[name]?.SS ?? []) as Urn[];
  const dropped = item[attribute.droppedAt]?.N;
  return {
    aliasOf: urns(attribute.aliasOf),
    aliases: urns(attribute.aliases),
    renamedTo: renames(attribute.renamedTo),
    renamedFrom: renames(attribute.renamedFrom),
    droppedAt: dropped === undefined ? null : microsOfDigits(dropped),
  };
}
