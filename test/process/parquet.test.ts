import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { writeParquet } from '../../cli/export/parquet.ts';
import { columnsKey } from '../../shared/domain/lineage/sources/openlineage/facets.ts';
import { unresolvedKey } from '../../shared/domain/lineage/sources/openlineage/open-columns.ts';
import { type Answers, askParquet, wholeGraphQuestions } from '../support/whole-graph.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'parquet-'));
afterAll(() => rmSync(scratch, { recursive: true }));

type Pair = readonly [src: number, dst: number];

const dataset = (name: string | number, facets = {}) => ({ namespace: 'n', name: `t${name}`, facets });
const job = { namespace: 'jobs', name: 'j' };

/** An export says what feeds a relation together: a line a relation. */
const eventsOf = (pairs: readonly Pair[]) =>
  [...Map.groupBy(pairs, ([, dst]) => dst)].map(([dst, reads]) => ({
    job,
    inputs: [...new Set(reads.map(([src]) => src))].map((src) => dataset(src)),
    outputs: [dataset(dst)],
  }));

async function* linesOf(events: readonly object[]): AsyncGenerator<string> {
  for (const event of events) yield JSON.stringify(event);
}

let built = 0;
async function written(events: readonly object[]): Promise<Answers> {
  const folder = path.join(scratch, String(++built));
  await writeParquet(linesOf(events), folder);
  return askParquet(folder);
}

async function answered(pairs: readonly Pair[], title: RegExp) {
  const question = wholeGraphQuestions().find((one) => title.test(one.title));
  if (question === undefined) throw new Error('docs/whole-graph.md has no such question');
  return (await written(eventsOf(pairs)))(question.sql);
}

const namesIn = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ name }) => name);

describe('a graph as Parquet', () => {
  it('has nodes once, edges once a pair, the columns with their ways, and every statement', async () => {
    const facets = {
      columnLineage: {
        fields: {
          x: { inputFields: [{ namespace: 'n', name: 't1', field: 'a', transformations: [{ type: 'DIRECT' }] }] },
        },
        dataset: [{ namespace: 'n', name: 't1', field: 'b' }],
      },
      schema: { fields: [{ name: 'x', type: 'int' }, { name: 'y' }] },
    };
    const events = [
      { job, inputs: [dataset(1, { [columnsKey]: { fields: [{ name: 'a' }] } })], outputs: [dataset(2, facets)] },
      { job: { ...job, name: 'k' }, inputs: [dataset(1)], outputs: [dataset(2)] },
    ];
    const ask = await written(events);
    expect(await ask("select name, columns_complete from 'nodes.parquet' order by name")).toEqual([
      { name: 't1', columns_complete: false },
      { name: 't2', columns_complete: true },
    ]);
    expect(await ask("select name, type, position from 'columns.parquet' order by name")).toEqual([
      { name: 'a', type: null, position: 0 },
      { name: 'x', type: 'int', position: 0 },
      { name: 'y', type: null, position: 1 },
    ]);
    expect(await ask("select statements, unresolved from 'edges.parquet'")).toEqual([
      { statements: 2, unresolved: false },
    ]);
    expect(await ask("select src_column, dst_column, type, job_name from 'column_edges.parquet' order by all")).toEqual(
      [
        { src_column: 'a', dst_column: 'x', type: 'DIRECT', job_name: 'j' },
        { src_column: 'b', dst_column: null, type: null, job_name: 'j' },
      ],
    );
    expect(await ask("select job_name, unresolved from 'evidence.parquet' order by all")).toEqual([
      { job_name: 'j', unresolved: null },
      { job_name: 'k', unresolved: null },
    ]);
  });

  it('says which edges have unknown columns, and why', async () => {
    const open = { inputs: [{ namespace: 'n', name: 't1', reason: 'star' }] };
    const ask = await written([
      { job, inputs: [dataset(1), dataset(3)], outputs: [dataset(2, { [unresolvedKey]: open })] },
    ]);
    const edges = "from 'edges.parquet' join 'nodes.parquet' on id = src";
    expect(await ask(`select name, unresolved ${edges} order by name`)).toEqual([
      { name: 't1', unresolved: true },
      { name: 't3', unresolved: false },
    ]);
    expect(await ask("select unresolved from 'evidence.parquet' where unresolved is not null")).toEqual([
      { unresolved: 'star' },
    ]);
  });

  it('may be empty', async () => {
    const ask = await written([]);
    for (const { sql } of wholeGraphQuestions()) expect(await ask(sql)).toEqual([]);
  });

  it('is not written if its input ends early, and never overwrites another', async () => {
    const folder = path.join(scratch, 'broken');
    const broken = async function* () {
      yield '{"job":{"namespace":"jobs"';
    };
    await expect(writeParquet(broken(), folder)).rejects.toThrow();
    expect(readdirSync(scratch).filter((name) => name.startsWith('broken'))).toEqual([]);
    await writeParquet(linesOf([]), folder);
    await expect(writeParquet(linesOf([]), folder)).rejects.toThrow();
  });
});

const pairs = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 16 });
const runs = { numRuns: 12 };

/** Every relation that a relation reaches by one step or more. */
function reachOf(graph: readonly Pair[], start: number): Set<number> {
  const reached = new Set<number>();
  const next = [start];
  for (const from of next)
    for (const [src, dst] of graph)
      if (src === from && !reached.has(dst)) {
        reached.add(dst);
        next.push(dst);
      }
  return reached;
}

const nodesOf = (graph: readonly Pair[]): number[] => [...new Set(graph.flat())].sort();

describe('the questions of docs/whole-graph.md', () => {
  it('find what hangs together', () =>
    fc.assert(
      fc.asyncProperty(pairs, async (graph) => {
        const both = graph.flatMap(([a, b]): Pair[] => [
          [a, b],
          [b, a],
        ]);
        const parts = new Set(nodesOf(graph).map((one) => [...reachOf(both, one)].sort().join()));
        const sizes = [...parts].map((part) => part.split(',').length);
        const rows = await answered(graph, /hang together/);
        expect(rows.map(({ relations }) => Number(relations))).toEqual(sizes.sort((a, b) => b - a));
      }),
      runs,
    ));

  it('count what lies downstream', () =>
    fc.assert(
      fc.asyncProperty(pairs, async (graph) => {
        const rows = await answered(graph, /critical/);
        const counts = Object.fromEntries(rows.map(({ name, downstream }) => [name, Number(downstream)]));
        const sources = [...new Set(graph.map(([src]) => src))];
        const others = (one: number) => [...reachOf(graph, one)].filter((reached) => reached !== one).length;
        expect(counts).toEqual(Object.fromEntries(sources.map((one) => [`t${one}`, others(one)])));
      }),
      runs,
    ));

  it('find what nobody reads', () =>
    fc.assert(
      fc.asyncProperty(pairs, async (graph) => {
        const sources = new Set(graph.map(([src]) => src));
        const unread = nodesOf(graph).filter((one) => !sources.has(one));
        expect(namesIn(await answered(graph, /nobody read/))).toEqual(unread.map((one) => `t${one}`));
      }),
      runs,
    ));

  it('find every circle, and nothing that is on no way from one to another', () =>
    fc.assert(
      fc.asyncProperty(pairs, async (graph) => {
        const turning = nodesOf(graph).filter((one) => reachOf(graph, one).has(one));
        const wide = turning.filter((one) =>
          reachOf(
            graph.filter(([a, b]) => a !== b),
            one,
          ).has(one),
        );
        const plain = graph.filter(([a, b]) => a !== b);
        const between = nodesOf(graph).filter(
          (one) =>
            wide.some((circle) => reachOf(plain, circle).has(one)) &&
            wide.some((circle) => reachOf(plain, one).has(circle)),
        );
        const expected = nodesOf(graph).filter((one) => turning.includes(one) || between.includes(one));
        expect(namesIn(await answered(graph, /circles/))).toEqual(expected.map((one) => `t${one}`));
      }),
      runs,
    ));

  it('find the longest paths', async () => {
    const rows = await answered(
      [
        [1, 2],
        [2, 3],
        [1, 3],
        [4, 5],
        [5, 4],
        [5, 3],
        [3, 6],
      ],
      /longest/,
    );
    expect(rows.map(({ name, steps }) => [name, Number(steps)])).toEqual([
      ['t2', 1],
      ['t1', 0],
    ]);
    const chain = Array.from({ length: 9 }, (_, i): Pair => [i, i + 1]);
    const [last] = await answered([...chain, [0, 5]], /longest/);
    expect(last).toMatchObject({ name: 't9', steps: '9' });
  });
});
