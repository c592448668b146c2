// Details are written with the page that has the claims of their edges, if nobody changed them since they were known.
import {
  type DetailsByEdge,
  type HasTakenEffect,
  noDetailsByEdge,
  type StatedDetail,
  withStated,
} from '../../../../domain/lineage/graph/edge-details.ts';
import type { NodeId, ScopeId } from '../../../../domain/lineage/graph/node.ts';
import { type Key, keyName } from '../../keys/registry-keys.ts';
import type { Item } from '../../requests/items.ts';
import { changing, equal, type Requirement, type SingleChange, updateItem } from '../../requests/update-item.ts';
import { attribute } from '../codec.ts';
import { changeLongDetails, createLongDetails, deleteLongDetails } from '../details/long-details.ts';
import { fitsPage, isSameValue, packDetails, pageDetailsOf } from '../details/packed-details.ts';
import { type GraphWriter, maxWriteUnits } from './levels.ts';

export type WrittenPage = { readonly node: NodeId; readonly key: Key };

/** What scopes state of the edges on a page. */
export type StatedByScope = ReadonlyMap<ScopeId, readonly StatedDetail[]>;

/** What the details add to a write of a page, and those that are to have an item first, by attribute. */
export type DetailsChange = {
  readonly set: Item;
  readonly where: readonly Requirement[];
  readonly long: ReadonlyMap<string, DetailsByEdge>;
};

const cacheName = ({ key }: WrittenPage, scope: ScopeId): string => `${keyName(key)} ${scope}`;

/** Remembers what a page holds of scopes: it is believed until a write is refused. */
export function rememberDetails(writer: GraphWriter, page: WrittenPage, item: Item, scopes: Iterable<ScopeId>): void {
  for (const scope of scopes)
    writer.state.details.set(cacheName(page, scope), { value: item[attribute.details(scope)] });
}

/** Whether the process knows what a page holds of scopes. */
export const knowsDetails = (writer: GraphWriter, page: WrittenPage, stated: StatedByScope): boolean =>
  [...stated.keys()].every((scope) => writer.state.details.has(cacheName(page, scope)));

/** The details that a page gets, if nobody has changed it. Those that have an item already are written there. */
export async function planDetails(
  writer: GraphWriter,
  page: WrittenPage,
  stated: StatedByScope,
  hasTakenEffect: HasTakenEffect | null,
): Promise<DetailsChange> {
  const { node: to } = page;
  const isLarge = writer.state.largePages.has(keyName(page.key));
  const [set, where, long]: [Item, Requirement[], Map<string, DetailsByEdge>] = [{}, [], new Map()];
  for (const [scope, details] of stated) {
    const name = attribute.details(scope);
    const known = writer.state.details.get(cacheName(page, scope))?.value;
    const stating = (before: DetailsByEdge) => withStated(before, details, hasTakenEffect);
    const before = pageDetailsOf(known);
    const isLong = before !== null && 'item' in before;
    if (isLong && (await changeLongDetails(writer, { to, ...before }, stating))) continue;
    const next = stating(before && !isLong ? before.inline : noDetailsByEdge);
    const packed = packDetails(next);
    if (isSameValue(packed, known)) continue;
    where.push(equal(name, known));
    if (isLarge || !fitsPage(packed)) long.set(name, next);
    else set[name] = packed;
  }
  return { set, where, long };
}

/** Remembers the details that a write has left on a page. */
export function noteWritten(writer: GraphWriter, page: WrittenPage, stated: StatedByScope, set: Item): void {
  for (const scope of stated.keys()) {
    const value = set[attribute.details(scope)];
    if (value) writer.state.details.set(cacheName(page, scope), { value });
  }
}

type PageWrite = {
  readonly change: SingleChange;
  readonly stated: StatedByScope;
  readonly plan: DetailsChange;
};

/** Writes a page with its details. If it is refused, the next attempt begins with the page that refused. */
export async function updatePage(writer: GraphWriter, page: WrittenPage, { change, stated, plan }: PageWrite) {
  const { node: to, key } = page;
  const created: Item = {};
  for (const [name, details] of plan.long) created[name] = { S: await createLongDetails(writer, to, details) };
  const written = { ...plan.set, ...created };
  const { set = {}, where = [] } = change;
  const whole = { ...change, set: { ...set, ...written }, where: [...where, ...plan.where] };
  const answer = await updateItem(writer.table, key, changing(whole));
  if (answer.refused === null) {
    noteWritten(writer, page, stated, written);
    if (answer.units > maxWriteUnits) writer.state.largePages.set(keyName(key), true);
    return answer;
  }
  rememberDetails(writer, page, answer.refused, stated.keys());
  // The SDK sends a request again if its response is lost: then its own first write refuses it.
  for (const [name, { S: item = '' }] of Object.entries(created))
    if (answer.refused[name]?.S !== item) await deleteLongDetails(writer, { to, item });
  return answer;
}
