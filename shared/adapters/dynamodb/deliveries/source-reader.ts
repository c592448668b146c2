import type { WorkspaceId } from '../../../contract/ids.ts';
import type { ProviderRecord, SourceReader } from '../../../domain/lineage/providers/provider.ts';
import { type EvidenceMark, untilOf } from '../../../domain/lineage/queries/claim/evidence-until.ts';
import { evidenceMarkKey } from '../keys/delivery-keys.ts';
import type { Item } from '../requests/items.ts';
import { unmetered } from '../requests/metered.ts';
import type { Table } from '../requests/table.ts';
import { oldestWaiting } from './backlog-reader.ts';
import { markOf, noteLook } from './evidence-mark.ts';
import { providerRows, recordsIn } from './providers.ts';

/** So that an answer about one relation does not pay for a workspace of thousands of feeds. */
const mostFeeds = 200;

/** The feeds of a workspace with its evidence mark, by one query; consistently, so that a caller with a receipt never gets an older moment. */
export const sourceReader =
  (table: Table): SourceReader =>
  async (workspace, now) => {
    const read: { mark: EvidenceMark | null } = { mark: null };
    const records: ProviderRecord[] = [];
    let isWhole = true;
    for await (const record of recordsIn(withoutMark(providerRows(table, workspace, ' ', true), read))) {
      isWhole = records.length < mostFeeds;
      if (!isWhole) break;
      records.push(record);
    }
    const until = untilOf(read.mark, now) ?? (await look(table, workspace, read.mark, now));
    return { records, isWhole, ...until };
  };

const neverSeen: EvidenceMark = { touched: '', until: null, looked: null, covers: null, waits: false, lowered: 0 };

const { sk: markPlace } = evidenceMarkKey('' as WorkspaceId);

async function* withoutMark(rows: AsyncIterable<Item>, read: { mark: EvidenceMark | null }): AsyncGenerator<Item> {
  for await (const item of rows) {
    if (item['sk']?.S === markPlace) read.mark = markOf(item);
    else yield item;
  }
}

/** Looks at the deliveries that wait, for all claims of the next moment: no answer's own cost. */
const look = (table: Table, workspace: WorkspaceId, mark: EvidenceMark | null, now: Date) =>
  unmetered(async () => {
    const from = mark?.until ?? null;
    const oldest = await oldestWaiting(table, workspace, from);
    return noteLook(table, workspace, mark ?? neverSeen, { oldest, now });
  });
