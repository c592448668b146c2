import './impact-table.css';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, useRef } from 'react';
import { schemaOf } from '../../../shared/contract/layers.ts';
import { verdictWords } from '../../../shared/contract/vocabulary.ts';
import { CsvLink } from '../parts/csv-link.tsx';
import { percent } from '../parts/day-bars.tsx';
import { Breakable } from '../parts/layer.tsx';
import { DataTable, GapRow, useSorted } from '../parts/listed.tsx';
import { texts } from '../texts.ts';
import { type Address, askedAbout, written } from './address.ts';
import type { Row, Shown } from './answer.ts';
import { limitsOf, sentenceOf } from './summary.tsx';

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

const sortBy = Object.fromEntries(
  Object.keys(headings).map((name, index) => [name, (row: Row) => cellsOf(row)[index]] as const),
);

/** The answer as rows: those of the picture, in the order of the CSV. */
export function ImpactTable({ shown, address }: { readonly shown: Shown; readonly address: Address }) {
  const { schema } = address;
  const rows = schema === null ? shown.rows : shown.rows.filter(({ relation }) => schemaOf(relation) === schema);
  const { sorted, head } = useSorted(rows, headings, sortBy);
  return (
    <>
      <CsvLink
        title={texts.relations(new Set(rows.map(({ relation }) => relation)).size)}
        name={address.relation}
        sentence={sentenceOf(shown, address)}
        limits={limitsOf(shown)}
        lines={[columnHeadings, ...sorted.map(cellsOf)]}
      />
      <Rows rows={sorted} address={address}>
        {head}
      </Rows>
    </>
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
      <DataTable title={texts.lineage.table} headings={columnHeadings} head={children} rowCount={rows.length + 1}>
        <GapRow height={above} columns={columnHeadings.length} />
        {shown.map((index) => {
          const row = rows[index];
          const measured = isLong ? virtual.measureElement : null;
          return (
            row && (
              <ImpactRow
                key={`${row.direction} ${row.relation}`}
                measured={measured}
                row={row}
                index={index}
                address={address}
              />
            )
          );
        })}
        <GapRow height={below} columns={columnHeadings.length} />
      </DataTable>
      {rows.length === 0 && <p className="empty table-empty">{texts.lineage.emptyTable}</p>}
    </div>
  );
}

type ImpactRowProps = {
  readonly row: Row;
  readonly index: number;
  readonly address: Address;
  /** Tells a long list how high the row is; null in a short one. */
  readonly measured: Ref<HTMLTableRowElement>;
};

function ImpactRow({ row, index, address, measured }: ImpactRowProps) {
  const [, ...others] = cellsOf(row);
  return (
    <tr ref={measured} data-index={index} aria-rowindex={index + 2}>
      <th scope="row">
        <Link
          to="/lineage"
          search={written({ ...address, ...askedAbout(row.connector ?? address.connector, row.relation) })}
          className="ref"
        >
          <Breakable name={row.relation} />
        </Link>
      </th>
      {others.map((cell, place) => (
        <td key={columnHeadings[place + 1]}>{cell}</td>
      ))}
    </tr>
  );
}
