import { useEffect, useState } from 'react';
import { inertCell } from '../../../shared/contract/vocabulary.ts';
import { texts } from '../texts.ts';

type Lines = readonly (readonly string[])[];

/** Lines as RFC 4180 has them, every cell quoted and none that a spreadsheet would run. */
const csvOf = (lines: Lines): string => lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

const quoted = (cell: string): string => `"${inertCell(cell).replaceAll('"', '""')}"`;

type CsvLinkProps = { readonly title: string; readonly name: string; readonly lines: Lines };

/** What a table holds, and its rows as a file. */
export function CsvLink({ title, name, lines }: CsvLinkProps) {
  const csv = csvOf(lines);
  const [url, setUrl] = useState('');
  useEffect(() => {
    const built = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
    setUrl(built);
    return () => URL.revokeObjectURL(built);
  }, [csv]);
  return (
    <p className="table-tools">
      <span className="dim">{title}</span>
      <a className="button" href={url} download={`${name}.csv`}>
        {texts.lineage.downloadCsv}
      </a>
    </p>
  );
}
