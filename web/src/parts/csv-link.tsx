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
  /** A sentence about the rows, for the comment; if omitted, they are no comment. */
  readonly sentence?: string;
};

/** What a table holds, and its rows as a file and as a comment. */
export function CsvLink({ title, name, lines, sentence }: CsvLinkProps) {
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
      {sentence && <CopyButton label={texts.copyComment} text={() => commentOf(sentence, lines)} />}
      <a className="button" href={url} download={`${name}.csv`}>
        {texts.lineage.downloadCsv}
      </a>
    </p>
  );
}

/** With the rendering of reports, which loads when somebody copies one. */
async function commentOf(sentence: string, lines: Lines): Promise<string> {
  const { tableReport } = await import('../../../shared/domain/lineage/report/diff-report.ts');
  return tableReport(sentence, lines);
}
