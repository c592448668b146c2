import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DetailVersion, EdgeColumn, EdgeDetail } from '../../../../domain/lineage/graph/derivation.ts';
import type { DetailsByEdge } from '../../../../domain/lineage/graph/edge-details.ts';
import type { NodeId } from '../../../../domain/lineage/graph/node.ts';
import { isoOfMicros, microsOfOrder, type Order } from '../../../../domain/lineage/graph/order.ts';
import type { PageDetails } from '../../../../domain/lineage/graph/page-reader.ts';
import { pack, unpackShared } from '../../requests/parts.ts';

/** What columns have in common, then the newest order first: what each states of edges, by their upstream ends. */
type PackedDetails = readonly [readonly ColumnUse[], ...(readonly [Order, readonly PackedEdge[]])[]];
/** Without the time of an observation, which its order begins with. */
type PackedRest = Omit<EdgeDetail, 'columns' | 'observedAt'> & { readonly observedAt?: string };
type PackedEdge = readonly [NodeId, readonly PackedColumn[], PackedRest];
type ColumnUse = Omit<EdgeColumn, 'inputColumn' | 'outputColumn'>;
/** Both names and the place of the use in the list; only the name where both are equal and the use is the first. */
type PackedColumn = string | readonly [string, string | null, number];

/** One attribute for all that a scope knows of the edges on a page: details of one event are alike. Equal details give equal bytes. */
export function packDetails(details: DetailsByEdge): AttributeValue {
  const byOrder = new Map<Order, PackedEdge[]>();
  const uses = new Map<string, number>();
  for (const from of [...details.keys()].sort())
    for (const { order, detail } of details.get(from) ?? []) {
      const ofOrder = byOrder.get(order) ?? [];
      const { columns, observedAt, ...rest } = detail;
      const time = observedAt === timeOf(order) ? {} : { observedAt };
      ofOrder.push([from, columns.map((column) => packedColumn(column, uses)), { ...rest, ...time }]);
      byOrder.set(order, ofOrder);
    }
  const newestFirst = [...byOrder].sort(([a], [b]) => (a < b ? 1 : -1));
  const packed: PackedDetails = [[...uses.keys()].map((use) => JSON.parse(use)), ...newestFirst];
  return pack(packed);
}

const timeOf = (order: Order): string => isoOfMicros(microsOfOrder(order));

function packedColumn({ inputColumn, outputColumn, ...use }: EdgeColumn, uses: Map<string, number>): PackedColumn {
  const name = JSON.stringify(use);
  const place = uses.get(name) ?? uses.size;
  uses.set(name, place);
  return place === 0 && inputColumn === outputColumn ? inputColumn : [inputColumn, outputColumn, place];
}

const unpacked = new WeakMap<Uint8Array, DetailsByEdge>();

/** Of one attribute as it was read, the same result each time. */
export function unpackDetails(attribute: AttributeValue): DetailsByEdge {
  const known = attribute.B && unpacked.get(attribute.B);
  if (known) return known;
  const found = new Map<NodeId, DetailVersion[]>();
  const [uses, ...orders] = unpackShared(attribute) as PackedDetails;
  const columnOf = (packed: PackedColumn): EdgeColumn => {
    const [inputColumn, outputColumn, place] = typeof packed === 'string' ? [packed, packed, 0] : packed;
    return { inputColumn, outputColumn, ...(uses[place] as ColumnUse) };
  };
  for (const [order, edges] of orders)
    for (const [from, columns, rest] of edges) {
      const detail = { observedAt: timeOf(order), ...rest, columns: columns.map(columnOf) };
      const version = { order, detail };
      const versions = found.get(from);
      if (versions) versions.push(version);
      else found.set(from, [version]);
    }
  if (attribute.B) unpacked.set(attribute.B, found);
  return found;
}

/** What a page's attribute holds: the name of an item is no JSON. */
export function pageDetailsOf(value: AttributeValue | undefined): PageDetails | null {
  if (value === undefined) return null;
  return value.S === undefined || value.S.startsWith('[') ? { inline: unpackDetails(value) } : { item: value.S };
}

/** A page is read 4 KB at a time. */
const mostBytes = 3_072;

export const fitsPage = (packed: AttributeValue): boolean => sizeOf(packed) <= mostBytes;

export const sizeOf = ({ B, S }: AttributeValue): number => B?.length ?? S?.length ?? 0;

export const isSameValue = (a: AttributeValue, b: AttributeValue | undefined): boolean =>
  a.S === b?.S && (a.B === b?.B || (a.B !== undefined && b?.B !== undefined && Buffer.compare(a.B, b.B) === 0));
