import { allKnown } from '../../base/collections.ts';
import {
  type ClaimedEdge,
  type ColumnOption,
  type EdgeColumn,
  type EdgeDetail,
  type EdgeInScope,
  edgeInScopeName,
  type OpenColumns,
  type PlacedColumns,
  type Unresolved,
} from '../graph/derivation.ts';
import type { Urn } from '../graph/node.ts';
import { type SchemaStar, throughStar } from '../graph/schema.ts';
import type { LiveClaim } from './expansion.ts';
import type { GraphView } from './graph-view.ts';
import type { KnownRelation } from './known-columns.ts';
import { detailsSeen } from './visible-details.ts';

/** Details of edges with named ends, as a view shows them, completed by schemas; edges without details are left out. */
export async function detailsOf(
  view: GraphView,
  edges: readonly ClaimedEdge[],
): Promise<ReadonlyMap<EdgeInScope, EdgeDetail>> {
  if (edges.length === 0) return new Map();
  const found = new Map((await view.readDetails(edges)).map((one) => [edgeInScopeName(one), one]));
  const stated = edges.flatMap((edge) => {
    const detail = found.get(edgeInScopeName(edge));
    return detail ? { edge, detail } : [];
  });
  const seen = await detailsSeen(
    view,
    stated.map(({ edge }) => edge),
    stated.map(({ detail }) => detail),
  );
  await view.columns.load(seen.flatMap(({ from, detail }) => relationsOpenIn(detail, view.nodes.urnOf(from))));
  return new Map(
    stated.flatMap(({ edge }, i) => (seen[i] ? [[edge, completedDetail(view, edge, seen[i].detail)] as const] : [])),
  );
}

type ColumnsOf = (relation: Urn) => KnownRelation | null;

const overUnknown = 'star_over_unknown_columns';
const overIncomplete = 'star_over_incomplete_columns';

/** The relations whose columns decide what a detail leaves open. */
const relationsOpenIn = (
  { columns, unresolved }: Pick<EdgeDetail, 'columns' | 'unresolved'>,
  from: Urn | undefined,
): Urn[] => [
  ...(from !== undefined && columns.some(readsField) ? [from] : []),
  ...unresolved.flatMap(({ open }) => {
    if (!open) return [];
    if (open.kind === 'star' || open.kind === 'rest') return [open.star.of];
    if (open.kind === 'choice') return open.options.map((option) => option.of);
    return open.branches.flat().flatMap((item) => ('star' in item ? item.star.of : []));
  }),
];

const readsField = ({ inputField }: EdgeColumn): boolean => inputField !== undefined;

/** The longest known path that holds the field is the source, else the whole column (C-COLUMNS-13). */
function withField({ inputField, ...one }: EdgeColumn, known: KnownRelation | null): EdgeColumn {
  const steps = inputField?.split('.') ?? [];
  for (let length = steps.length; length > 0; length--) {
    const path = [one.inputColumn, ...steps.slice(0, length)].join('.');
    const field = known?.columns.get(path.toLowerCase());
    if (field) return { ...one, inputColumn: field.name };
  }
  return one;
}

type Settled = { readonly columns: readonly EdgeColumn[]; readonly unresolved: readonly Unresolved[] };

/**
 * Expands `*` and assigns columns by schemas, whatever came first (C-COLUMNS-6), as of the moment of the view. The
 * relations of `relationsOpenIn` must be loaded.
 */
function completedDetail(view: GraphView, { from }: Pick<LiveClaim, 'from'>, detail: EdgeDetail): EdgeDetail {
  const urn = view.nodes.urnOf(from);
  const isWhole = detail.unresolved.every(({ open }) => !open) && !detail.columns.some(readsField);
  if (urn === undefined || isWhole) return detail;
  const settled = detail.unresolved.map((one): Settled => {
    return one.open ? settledOpen(one, one.open, urn, view.columns.of) : { columns: [], unresolved: [one] };
  });
  const stated = detail.columns.map((one) => (readsField(one) ? withField(one, view.columns.of(urn)) : one));
  const columns = [...stated, ...settled.flatMap((one) => one.columns)];
  const unresolved = settled.flatMap((one) => one.unresolved);
  return { ...detail, columns: distinct(columns), unresolved, unsettled: detail.unresolved };
}

/** `from`: the relation as the statement names it. */
function settledOpen(one: Unresolved, open: OpenColumns, from: Urn, columnsOf: ColumnsOf): Settled {
  if (open.kind === 'choice') return settledChoice(one, open.options, from, columnsOf);
  if (open.kind === 'places') return settledPlaces(one, open.branches, from, columnsOf);
  const known = columnsOf(open.star.of);
  if (open.kind === 'rest') return { columns: [], unresolved: leftOutColumns(one, open.star, known) };
  const columns = known && open.star.of === from ? expanded(open.star, known) : [];
  if (known?.complete) return { columns, unresolved: [] };
  return { columns, unresolved: [{ ...one, reason: known ? overIncomplete : overUnknown }] };
}

const leftOutColumns = (one: Unresolved, { except }: SchemaStar, known: KnownRelation | null): Unresolved[] => {
  const listed = new Set(except.map((name) => name.toLowerCase()));
  const names = [...(known?.columns ?? [])].flatMap(([key, { name }]) => (listed.has(key) ? [] : name));
  return names.map((outputColumn) => ({ ...one, outputColumn }));
};

/** The columns of a union by place: of each place those of all branches, where all lists are known and as long. */
function settledPlaces(
  one: Unresolved,
  branches: readonly (readonly PlacedColumns[])[],
  from: Urn,
  columnsOf: ColumnsOf,
): Settled {
  const open = { columns: [], unresolved: [one] };
  const rows = branches.map((branch) => placedRow(branch, columnsOf));
  const [first] = rows;
  if (!first || rows.some((row) => row === null || row.length !== first.length)) return open;
  if (first.some(({ name }) => name === null)) return open;
  const columns = first.flatMap(({ name: outputColumn }, place) =>
    rows
      .flatMap((row) => row?.[place]?.sources ?? [])
      .filter((source) => source.of === from)
      .map(({ of: _, column: inputColumn, ...way }) => ({ ...way, inputColumn, outputColumn })),
  );
  return { columns, unresolved: [] };
}

type PlacedColumn = { readonly name: string | null; readonly sources: readonly ColumnOption[] };

/** The columns of a branch in their order; null if a list is not known whole. */
function placedRow(branch: readonly PlacedColumns[], columnsOf: ColumnsOf): PlacedColumn[] | null {
  const items = branch.map((item): PlacedColumn[] | null => {
    if (!('star' in item)) return [{ name: item.column, sources: item.sources }];
    const known = columnsOf(item.star.of);
    if (!known?.complete) return null;
    return expanded(item.star, known).map(({ inputColumn: column, outputColumn: name, ...way }) => ({
      name,
      sources: [{ ...way, of: item.star.of, column }],
    }));
  });
  return allKnown(items)?.flat() ?? null;
}

function expanded(star: SchemaStar, { columns }: KnownRelation): EdgeColumn[] {
  return [...columns.values()].flatMap(({ name }): EdgeColumn[] => {
    const outputColumn = throughStar(star, name);
    if (outputColumn === null) return [];
    return [{ inputColumn: name, outputColumn, type: 'DIRECT', subtype: 'IDENTITY', masking: false }];
  });
}

/** A valid statement names a column that one relation has: the known one, or the only possible one. */
function settledChoice(one: Unresolved, options: readonly ColumnOption[], from: Urn, columnsOf: ColumnsOf): Settled {
  const choices = options.map((option) => ({ option, known: columnsOf(option.of) }));
  const has = ({ option, known }: (typeof choices)[number]) => known?.columns.has(option.column.toLowerCase()) ?? false;
  const certain = choices.filter(has);
  const possible = choices.filter((option) => has(option) || !option.known?.complete);
  const relations = new Set((certain.length > 0 ? certain : possible).map(({ option }) => option.of));
  const [relation] = relations;
  if (relation === undefined || relations.size > 1) return { columns: [], unresolved: [one] };
  const chosen = options.filter((option) => option.of === relation && option.of === from);
  const { outputColumn } = one;
  const columns = chosen.map(({ of: _, column: inputColumn, ...way }) => ({ ...way, inputColumn, outputColumn }));
  return { columns, unresolved: [] };
}

function distinct(columns: readonly EdgeColumn[]): readonly EdgeColumn[] {
  const keyOf = ({ inputColumn, outputColumn, type, subtype, masking }: EdgeColumn) =>
    JSON.stringify([inputColumn, outputColumn, type, subtype, masking]);
  return [...new Map(columns.toReversed().map((one) => [keyOf(one), one])).values()].reverse();
}
