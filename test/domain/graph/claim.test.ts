import { describe, expect, it } from 'vitest';
import { pageCount, pageNumber, pagesAbout } from '../../../shared/domain/lineage/graph/claim.ts';
import { nodeId, scopeId, urnOf } from '../../../shared/domain/lineage/graph/node.ts';

const other = nodeId(urnOf({ kind: 'dataset', namespace: 'n', name: 'a' }));
/** As the writer has it: a page of this many claims raises the level, if the next one would tell them apart. */
const claimsPerPage = 60;

/** The pages that jobs of different names fill, who all observe one pair of relations. */
function pagesOfJobs(jobs: number) {
  const pages = new Map<number, ReturnType<typeof scopeId>[]>();
  let level = 0;
  for (let job = 0; job < jobs; job++) {
    const scope = scopeId(`provider:p:runs:job_${job}`);
    const number = pageNumber(level, other, scope);
    const page = [...(pages.get(number) ?? []), scope];
    pages.set(number, page);
    const apart = new Set(page.map((one) => pageNumber(level + 1, other, one)));
    if (page.length > claimsPerPage && apart.size > 1) level++;
  }
  return { level, pages };
}

describe('the page of an observed claim', () => {
  it.each([
    [300, 4],
    [5_000, 8],
    [20_000, 9],
  ])('leaves the level low where %i jobs observe one pair, and no page large (G-PAGE-2)', (jobs, most) => {
    const { level, pages } = pagesOfJobs(jobs);
    expect(level).toBeLessThanOrEqual(most);
    expect(Math.max(...[...pages.values()].map(({ length }) => length))).toBeLessThanOrEqual(claimsPerPage + 1);
    // A side is read whole: what it holds is not thinned out over pages.
    expect(pageCount(level)).toBeLessThan((8 * jobs) / claimsPerPage);
  });

  it('is among those that a reader of the pair looks at (G-PAGE-2)', () => {
    const { level, pages } = pagesOfJobs(5_000);
    const read = new Set(pagesAbout(level, other));
    expect([...pages.keys()].filter((page) => !read.has(page))).toEqual([]);
    expect(pagesAbout(level, other)).toContain(pageNumber(level, other));
  });
});
