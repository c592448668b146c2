import { expect, it } from 'vitest';
import { allPages } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';

/** A list of seven items in pages of three, and the cursors that were sent. */
function listOfSeven() {
  const cursors: unknown[] = [];
  const ask = async (_: unknown, { query = {} }: { query?: Readonly<Record<string, unknown>> } = {}) => {
    const start = Number(query['cursor'] ?? 0);
    cursors.push(query);
    const items = [1, 2, 3, 4, 5, 6, 7].slice(start, start + 3);
    return { workspace_id: query['workspace_id'], items, next_cursor: start + 3 < 7 ? String(start + 3) : null };
  };
  return { ask, cursors };
}

it.each([
  [undefined, [1, 2, 3, 4, 5, 6, 7], null, 3],
  [7, [1, 2, 3, 4, 5, 6, 7], null, 3],
  [6, [1, 2, 3, 4, 5, 6], '6', 2],
  [4, [1, 2, 3, 4, 5, 6], '6', 2],
  [3, [1, 2, 3], '3', 1],
  [1, [1, 2, 3], '3', 1],
])(
  'a list of at most %s items has whole pages, and the cursor goes on after them',
  async (most, items, next, pages) => {
    const { ask, cursors } = listOfSeven();
    const question = { query: { workspace_id: 'ws' } };
    expect(await allPages({ ask }, routes.listChecks, question, most)).toEqual({
      workspace_id: 'ws',
      items,
      next_cursor: next,
    });
    expect(cursors).toEqual(
      [{}, { cursor: '3' }, { cursor: '6' }].slice(0, pages).map((one) => ({ workspace_id: 'ws', ...one })),
    );
  },
);
