import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConnectorSummary,
  isKept,
  noSummary,
  tableCountOf,
  updated,
} from '../../../shared/domain/agents/context/summary.ts';
import { nodeId, type Urn } from '../../../shared/domain/lineage/graph/node.ts';

const table = (number: number, degree = 1) => ({ node: nodeId(`table ${number}` as Urn), ref: `t${number}`, degree });
const tables = (from: number, to: number, degree = 1) =>
  Array.from({ length: to - from }, (_, i) => table(from + i, degree));
const note = (known: ConnectorSummary, seen: ReturnType<typeof tables>) => updated(known, { seen, at: 'now' });

describe('the summary of a connector', () => {
  it('is written if a table or a neighbour is new, and else once a minute (G-AGENT-4)', () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const known = updated(noSummary, { seen: tables(0, 3), at: at(0) });
    const isWritten = (seen: ReturnType<typeof tables>, second: number) =>
      !isKept(known, updated(known, { seen, at: at(second) }));
    expect([tables(0, 3), tables(0, 4), tables(0, 3, 2)].map((seen) => isWritten(seen, 59))).toEqual([
      false,
      true,
      true,
    ]);
    expect(isWritten(tables(0, 3), 60)).toBe(true);
  });

  it('counts exactly after any additions and removals, in any batches', () => {
    const change = fc.record({ number: fc.nat(40), degree: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(fc.array(change)), (portions) => {
        const existing = new Map(portions.flat().map(({ number, degree }) => [number, degree]));
        const summary = portions.reduce(
          (known, portion) =>
            note(
              known,
              portion.map(({ number, degree }) => table(number, degree)),
            ),
          noSummary,
        );
        const live = [...existing].filter(([, degree]) => degree > 0);
        expect(tableCountOf(summary)).toBe(live.length);
        const remaining = new Map(summary.tables.map(({ ref, degree }) => [ref, degree]));
        const most = live.map(([, degree]) => degree).toSorted((a, b) => b - a);
        expect([...remaining.values()]).toEqual(expect.arrayContaining(most.slice(0, Math.min(1, remaining.size))));
        for (const [ref, degree] of remaining) expect(existing.get(Number(ref.slice(1)))).toBe(degree);
      }),
    );
  });

  it('is exact up to a thousand tables, near beyond, and never larger', () => {
    const thousand = note(noSummary, tables(0, 1_000));
    expect(tableCountOf(thousand)).toBe(1_000);
    const many = note(note(thousand, tables(1_000, 30_000)), tables(20_000, 30_000, 0));
    expect(many.ids.length).toBeLessThanOrEqual(1_000);
    expect(Math.abs(tableCountOf(many) - 20_000)).toBeLessThan(3_000);
  });
});
