import { type ReactNode, useMemo, useState } from 'react';
import { texts } from '../texts.ts';
import { Failure } from './failure.tsx';

type QueryState = { readonly isPending: boolean; readonly error: Error | null };
type Headings = Readonly<Record<string, string>>;

type ListedProps<Item> = {
  readonly query: QueryState;
  /** The title of the table, its headings, and what is said if it is empty. */
  readonly of: { readonly title: string; readonly headings: Headings; readonly none: string };
  readonly needs?: string;
  readonly items: readonly Item[];
  readonly sortBy: SortKeys<Item>;
  readonly row: (item: Item) => ReactNode;
};

/** A table of a query's result: loading, failed, empty or full. */
export function Listed<Item>({ query, of, needs = 'viewer', items, sortBy, row }: ListedProps<Item>) {
  const { sorted, head } = useSorted(items, of.headings, sortBy);
  if (query.isPending) return <p role="status">{texts.loading}</p>;
  if (query.error) return <Failure error={query.error} needs={needs} />;
  if (items.length === 0) return <p className="empty">{of.none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section className="table-frame" aria-label={of.title} tabIndex={0}>
      <DataTable title={of.title} headings={Object.values(of.headings)} head={head}>
        {sorted.map(row)}
      </DataTable>
    </section>
  );
}

type SortKey = string | number | null | undefined;
/** The values that rows are sorted by, by the names of headings; a heading without them sorts nothing. */
type SortKeys<Item> = Readonly<Record<string, (item: Item) => SortKey>>;
type Sort = { readonly name: string; readonly isDown: boolean };

/** Sorts rows by the heading that was clicked: up, then down, then in the first order. */
export function useSorted<Item>(items: readonly Item[], headings: Headings, sortBy: SortKeys<Item>) {
  const [sort, setSort] = useState<Sort | null>(null);
  const sorted = useMemo(() => inOrder(items, sortBy, sort), [items, sortBy, sort]);
  const next = (name: string): Sort | null => {
    if (sort?.name !== name) return { name, isDown: false };
    return sort.isDown ? null : { name, isDown: true };
  };
  const head = (
    <tr>
      {Object.entries(headings).map(([name, heading]) => {
        const isSorted = sort?.name === name;
        const order = sort?.isDown ? 'descending' : 'ascending';
        if (!(name in sortBy))
          return (
            <th key={name} scope="col">
              {heading}
            </th>
          );
        return (
          <th key={name} scope="col" aria-sort={isSorted ? order : 'none'}>
            <button type="button" className="quiet" onClick={() => setSort(next(name))}>
              {heading}
              <span aria-hidden="true">{isSorted ? (sort.isDown ? ' ↓' : ' ↑') : ''}</span>
            </button>
          </th>
        );
      })}
    </tr>
  );
  return { sorted, head };
}

function inOrder<Item>(items: readonly Item[], sortBy: SortKeys<Item>, sort: Sort | null): readonly Item[] {
  const keyOf = sort && sortBy[sort.name];
  if (!keyOf) return items;
  const sign = sort.isDown ? -1 : 1;
  return items.toSorted((a, b) => {
    const [one, other] = [keyOf(a) ?? null, keyOf(b) ?? null];
    // What has no value comes last in both orders.
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
    return sign * String(one).localeCompare(String(other), undefined, { numeric: true });
  });
}

type GapRowProps = { readonly height: number; readonly columns: number };

/** As high as the rows of a long table that are not in the page. */
export const GapRow = ({ height, columns }: GapRowProps) =>
  height > 0 && (
    <tr>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );

type DataTableProps = {
  readonly title: string;
  readonly headings: readonly string[];
  /** The row of headings that sort. */
  readonly head?: ReactNode;
  /** The number of rows, if not all of them are in the page. */
  readonly rowCount?: number;
  readonly children: ReactNode;
};

/** A table whose rows are cards on a narrow screen, each cell below its heading. */
export const DataTable = ({ title, headings, head, rowCount, children }: DataTableProps) => (
  <table className="data" aria-label={title} aria-rowcount={rowCount} style={labelsOf(headings)}>
    {head ? <thead>{head}</thead> : <TableHead headings={headings} />}
    <tbody>{children}</tbody>
  </table>
);

const labelsOf = (headings: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(headings.map((heading, index) => [`--label-${index + 1}`, JSON.stringify(heading)]));

export const TableHead = ({ headings }: { readonly headings: readonly string[] }) => (
  <thead>
    <tr>
      {headings.map((heading) => (
        <th key={heading} scope="col">
          {heading}
        </th>
      ))}
    </tr>
  </thead>
);
