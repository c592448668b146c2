import { useEffect, useState } from 'react';
import { inertCell } from '../../../shared/contract/vocabulary.ts';
import { texts } from '../texts.ts';
import { CopyButton } from './snippet.tsx';

type Lines = readonly (readonly string[])[];

/** Lines as RFC 4180 has them, every cell quoted and none that a spreadsheet would run. */
const csvOf = (lines: Lines): string => lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

const quoted = (cell: string): string => `"${inertCell(cell).replaceAll('"', '""')}"`;

type CsvLinkProps = {
  readonly title: string;
  readonly name: string;
  readonly lines: Lines;
  /** What the rows show, and what limits that; if omitted, they are no comment. */
  readonly sentence?: string;
  readonly limits?: readonly string[];
};

/** What a table holds, and its rows as a file and as a comment. */
export function CsvLink({ title, name, lines: [headings = [], ...rows], sentence, limits = [] }: CsvLinkProps) {
  // A line or a column of its own would make other rows than those of the table.
  const claim = sentence === undefined ? '' : ` (${[sentence, ...limits].join(' ')})`;
  const csv = csvOf([[...headings.slice(0, -1), `${headings.at(-1)}${claim}`], ...rows]);
  const [url, setUrl] = useState('');
  useEffect(() => {
    const built = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
    setUrl(built);
    return () => URL.revokeObjectURL(built);
  }, [csv]);
  return (
    <p className="table-tools">
      <span className="dim">{title}</span>
      {sentence && (
        <CopyButton label={texts.copyComment} text={() => commentOf({ sentence, limits }, [headings, ...rows])} />
      )}
      <a className="button" href={url} download={`${name}.csv`}>
        {texts.lineage.downloadCsv}
      </a>
    </p>
  );
}

/** With the rendering of reports, which loads when somebody copies one. */
async function commentOf(claim: { sentence: string; limits: readonly string[] }, lines: Lines): Promise<string> {
  const { tableReport } = await import('../../../shared/domain/lineage/report/diff-report.ts');
  return tableReport(claim, lines);
}
