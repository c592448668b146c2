import './impact-table.css';
import { Link } from '@tanstack/react-router';
import {
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { verdictWords } from '../../../shared/contract/vocabulary.ts';
import { percent } from '../parts/day-bars.tsx';
import { texts } from '../texts.ts';
import { type Address, written } from './address.ts';
import type { Row } from './answer.ts';

const { headings, directions, statuses, everyColumn } = texts.lineage;

/** A row as its cells read, in the table and in the CSV alike. */
const cellsOf = (row: Row): readonly string[] => [
  row.relation,
  directions[row.direction],
  String(row.depth),
  row.columns.map((column) => (column === '*' ? everyColumn : column)).join(', '),
  row.sources.join(', '),
  percent(row.confidence),
  statuses[row.status],
  row.verdict === null ? '' : verdictWords[row.verdict],
];

const columnHeadings = Object.values(headings);

/** The rows as RFC 4180 has them, every cell quoted and none that a spreadsheet would run. */
const csvOf = (rows: readonly Row[]): string =>
  [columnHeadings, ...rows.map(cellsOf)].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

const quoted = (cell: string): string => `"${inert(cell).replaceAll('"', '""')}"`;

/** Spreadsheets run what begins with one of these, also behind quotes. */
const inert = (cell: string): string => (/^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell);

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});

const columns = columnHeadings.map((header, index) => ({
  id: String(index),
  header,
  accessorFn: (row: Row) => cellsOf(row)[index] ?? '',
  sortFn: 'alphanumeric' as const,
}));

/** The answer as rows: those of the picture, in the order of the CSV. */
export function ImpactTable({ rows, address }: { readonly rows: readonly Row[]; readonly address: Address }) {
  const [sorting, setSorting] = useState<SortingState>([]);
  const table = useTable({
    features,
    columns,
    data: useMemo(() => [...rows], [rows]),
    state: { sorting },
    onSortingChange: setSorting,
  });
  const sorted = table.getRowModel().rows.map(({ original }) => original);
  return (
    <>
      <CsvLink rows={sorted} name={address.relation} />
      <Rows rows={sorted} address={address}>
        <tr>
          {table.getFlatHeaders().map(({ id, column }) => {
            const order = column.getIsSorted();
            return (
              <th key={id} scope="col" aria-sort={order ? (order === 'asc' ? 'ascending' : 'descending') : 'none'}>
                <button type="button" className="quiet" onClick={column.getToggleSortingHandler()}>
                  {columnHeadings[Number(id)]}
                  <span aria-hidden="true">{order === 'asc' ? ' ↑' : order === 'desc' ? ' ↓' : ''}</span>
                </button>
              </th>
            );
          })}
        </tr>
      </Rows>
    </>
  );
}

function CsvLink({ rows, name }: { readonly rows: readonly Row[]; readonly name: string }) {
  const csv = csvOf(rows);
  const [url, setUrl] = useState('');
  useEffect(() => {
    const built = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
    setUrl(built);
    return () => URL.revokeObjectURL(built);
  }, [csv]);
  return (
    <p className="table-tools">
      <span className="dim">{texts.relations(new Set(rows.map(({ relation }) => relation)).size)}</span>
      <a className="button" href={url} download={`${name}.csv`}>
        {texts.lineage.downloadCsv}
      </a>
    </p>
  );
}

/** The number of rows to render completely. Of longer tables only visible rows are rendered. */
const fewRows = 300;
const rowHeight = 37;

type RowsProps = { readonly rows: readonly Row[]; readonly address: Address; readonly children: React.ReactNode };

function Rows({ rows, address, children }: RowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const isLong = rows.length > fewRows;
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: isLong,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  });
  const inSight = virtual.getVirtualItems();
  const shown = isLong ? inSight.map(({ index }) => index) : rows.map((_, index) => index);
  const above = isLong ? (inSight[0]?.start ?? 0) : 0;
  const below = isLong ? virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0) : 0;
  return (
    <div className="table-frame impact-frame" ref={frame} data-long={isLong} tabIndex={isLong ? 0 : undefined}>
      <table aria-label={texts.lineage.table} aria-rowcount={rows.length + 1}>
        <thead>{children}</thead>
        <tbody>
          {above > 0 && <Gap height={above} />}
          {shown.map((index) => {
            const row = rows[index];
            return (
              row && <ImpactRow key={`${row.direction} ${row.relation}`} row={row} index={index} address={address} />
            );
          })}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
      {rows.length === 0 && <p className="empty table-empty">{texts.lineage.emptyTable}</p>}
    </div>
  );
}

const Gap = ({ height }: { readonly height: number }) => (
  <tr>
    <td colSpan={columnHeadings.length} style={{ height }} />
  </tr>
);

function ImpactRow({ row, index, address }: { readonly row: Row; readonly index: number; readonly address: Address }) {
  const [relation, ...others] = cellsOf(row);
  const connector = row.connector ?? address.connector;
  const focused = { connector, relation: row.relation, column: [], up: [], down: [], hide: [], open: [] };
  const search = written({ ...address, ...focused });
  return (
    <tr aria-rowindex={index + 2}>
      <th scope="row">
        <Link
          to="/lineage"
          search={{ ...search, edge_from: undefined, edge_to: undefined, to: undefined }}
          className="ref"
        >
          {relation}
        </Link>
      </th>
      {others.map((cell, place) => (
        <td key={columnHeadings[place + 1]}>{cell}</td>
      ))}
    </tr>
  );
}
