import { isAboutLineage, readAspectsFile } from '../../shared/domain/lineage/sources/datahub/aspects-file.ts';
import { openJsonFile } from '../files.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';

/** What a file states of lineage: its bytes and JSON, and what was not read of it. */
type DatahubExport = {
  readonly bytes: Buffer;
  readonly json: unknown;
  /** About aspects of lineage that are not read. */
  readonly missing: readonly string[];
  readonly others: readonly string[];
};

/** An export as it is, or the one that the aspects of a file of DataHub's file sink make. Throws UsageError. */
export function datahubExport(terminal: Terminal, file: string): DatahubExport {
  const { bytes, json } = openJsonFile(terminal, file);
  const read = Array.isArray(json) ? readAspectsFile(json) : null;
  if (read === null) return { bytes, json, missing: [], others: [] };
  const unread = Map.groupBy(read.unread, ([name]) => isAboutLineage(name));
  const listed = (is: boolean, text: string) => {
    const names = (unread.get(is) ?? []).map(([name, count]) => `${count} × ${name}`);
    return names.length === 0 ? [] : [printable(`${text}: ${names.join(', ')}.`)];
  };
  return {
    // Only a push needs them.
    get bytes() {
      return Buffer.from(JSON.stringify(read.export));
    },
    json: read.export,
    missing: listed(true, 'Not read, so their lineage may be missing'),
    others: listed(false, 'Not read, because they state no lineage'),
  };
}
