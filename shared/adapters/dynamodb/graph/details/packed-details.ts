import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { findOrAdd } from '../../../../domain/base/collections.ts';
import type { DetailVersion, EdgeColumn, EdgeDetail } from '../../../../domain/lineage/graph/derivation.ts';
import type { DetailsByEdge } from '../../../../domain/lineage/graph/edge-details.ts';
import type { NodeId } from '../../../../domain/lineage/graph/node.ts';
import { isoOfMicros, microsOfOrder, type Order } from '../../../../domain/lineage/graph/order.ts';
import type { PageDetails } from '../../../../domain/lineage/graph/page-reader.ts';
import { pack, unpackShared } from '../../requests/parts.ts';

type ColumnUse = Omit<EdgeColumn, 'inputColumn' | 'outputColumn'>;
/** Both names and the place of the use in the list; only the name where both are equal and the use is the first. */
type PackedColumn = string | readonly [string, string | null, number];

type Occasion = Pick<EdgeDetail, 'deliveryId' | 'location' | 'observedAt' | 'parentRun'>;

/** The statements, each once, as the next run of a job repeats them. First what columns have in common. */
export type PackedStatements = readonly [
  readonly ColumnUse[],
  ...(readonly [readonly PackedColumn[], Omit<EdgeDetail, 'columns' | keyof Occasion>])[],
];

/** When and where edges were stated, the newest order first: each by its upstream end and the place of the statement. */
export type PackedOccasions = readonly (readonly [
  Order,
  /** Without the time of an observation, which its order begins with. */
  Omit<Occasion, 'observedAt'> & { readonly observedAt?: string },
  readonly (readonly [NodeId, number])[],
])[];

/** Equal details give equal results. */
export function splitDetails(details: DetailsByEdge): { statements: PackedStatements; occasions: PackedOccasions } {
  const [uses, statements] = [newPlaces(), newPlaces()];
  const occasions = new Map<string, [NodeId, number][]>();
  for (const from of [...details.keys()].sort())
    for (const { order, detail } of details.get(from) ?? []) {
      const { columns, deliveryId, location, observedAt, parentRun, ...rest } = detail;
      const time = observedAt === timeOf(order) ? {} : { observedAt };
      const occasion = JSON.stringify([order, { deliveryId, location, ...time, parentRun }]);
      const place = statements.of([columns.map((column) => packedColumn(column, uses)), rest]);
      findOrAdd(occasions, occasion, () => []).push([from, place]);
    }
  const newestFirst = [...occasions].sort(([a], [b]) => (a < b ? 1 : -1));
  return {
    statements: [uses.all(), ...statements.all()] as unknown as PackedStatements,
    occasions: newestFirst.map(([occasion, edges]) => [...JSON.parse(occasion), edges]) as unknown as PackedOccasions,
  };
}

/** The places of values, in the order of their first occurrence. */
function newPlaces() {
  const places = new Map<string, number>();
  return {
    of: (value: unknown): number => findOrAdd(places, JSON.stringify(value), () => places.size),
    all: (): unknown[] => [...places.keys()].map((text) => JSON.parse(text)),
  };
}

const timeOf = (order: Order): string => isoOfMicros(microsOfOrder(order));

function packedColumn(
  { inputColumn, outputColumn, ...use }: EdgeColumn,
  uses: ReturnType<typeof newPlaces>,
): PackedColumn {
  const place = uses.of(use);
  return place === 0 && inputColumn === outputColumn ? inputColumn : [inputColumn, outputColumn, place];
}

export function joinDetails([uses, ...statements]: PackedStatements, occasions: PackedOccasions): DetailsByEdge {
  const columnOf = (packed: PackedColumn): EdgeColumn => {
    const [inputColumn, outputColumn, place] = typeof packed === 'string' ? [packed, packed, 0] : packed;
    return { inputColumn, outputColumn, ...(uses[place] as ColumnUse) };
  };
  const stated = statements.map(([columns, rest]) => ({ ...rest, columns: columns.map(columnOf) }));
  const found = new Map<NodeId, DetailVersion[]>();
  for (const [order, occasion, edges] of occasions)
    for (const [from, place] of edges) {
      const detail = { observedAt: timeOf(order), ...occasion, ...stated[place] } as EdgeDetail;
      const versions = found.get(from);
      if (versions) versions.push({ order, detail });
      else found.set(from, [{ order, detail }]);
    }
  return found;
}

/** One attribute for all that a scope knows of the edges on a page: details of one event are alike. Equal details give equal bytes. */
export function packDetails(details: DetailsByEdge): AttributeValue {
  const { statements, occasions } = splitDetails(details);
  return pack([statements, ...occasions]);
}

const unpacked = new WeakMap<Uint8Array, DetailsByEdge>();

/** Of one attribute as it was read, the same result each time. */
function unpackDetails(attribute: AttributeValue): DetailsByEdge {
  const known = attribute.B && unpacked.get(attribute.B);
  if (known) return known;
  const [statements, ...occasions] = unpackShared(attribute) as [PackedStatements, ...PackedOccasions];
  const found = joinDetails(statements, occasions);
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

export const fitsPage = ({ B, S }: AttributeValue): boolean => (B ?? S ?? '').length <= mostBytes;

export const isSameValue = (a: AttributeValue, b: AttributeValue | undefined): boolean =>
  a.S === b?.S && (a.B === b?.B || (a.B !== undefined && b?.B !== undefined && Buffer.compare(a.B, b.B) === 0));
