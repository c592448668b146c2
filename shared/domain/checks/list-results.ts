import * as v from 'valibot';
import type { AgentCheckResult } from '../../contract/agent-checks.ts';
import { type BoundList, readCursor, writeCursor } from '../paging/cursor.ts';
import { type Check, resultView } from './check.ts';
import type { CheckStore } from './ports.ts';

type ListRequest = { readonly limit: number; readonly cursor?: string | undefined };

/** A page of the results of a check, newest first. */
export async function listResults(
  { results }: Pick<CheckStore, 'results'>,
  { workspace_id, id }: Check,
  { limit, cursor }: ListRequest,
): Promise<{ workspace_id: string; items: AgentCheckResult[]; next_cursor: string | null }> {
  const list: BoundList = ['check-results', workspace_id, id];
  const before = readCursor(list, v.string(), cursor);
  // One more than asked for tells whether there is a next page.
  const found = await results(workspace_id, id, { limit: limit + 1, before });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    workspace_id,
    items: page.map(resultView),
    next_cursor: found.length > limit && last ? writeCursor(list, last.id) : null,
  };
}
