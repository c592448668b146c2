import fc from 'fast-check';
import { expect, it } from 'vitest';
import { layers } from '../../shared/contract/layers.ts';
import { boxWidth, flowHeight, flowOf } from '../../web/src/find/flow-layout.ts';

const schema = fc.record({ layer: fc.constantFrom(...layers), relations: fc.integer({ min: 1, max: 400 }) });
const overview = fc.array(schema, { minLength: 2, maxLength: 40 }).chain((own) => {
  const end = fc.nat(own.length - 1);
  const flow = fc.record({ upstream: end, downstream: end, edges: fc.integer({ min: 1, max: 60 }) });
  const schemas = own.map((one, index) => ({ ...one, schema: `shop.schema_${index}` }));
  return fc.record({ schemas: fc.constant(schemas), flows: fc.array(flow, { maxLength: 60 }) });
});

/** The corners of a band: the upper ones from left to right, then the lower ones from right to left. */
const cornersOf = (path: string): { readonly x: number; readonly y: number }[] =>
  [...path.matchAll(/(?:M|L|C\S+ \S+ \S+ \S+ )([\d.e-]+) ([\d.e-]+)/g)].map(([, x, y]) => ({
    x: Number(x),
    y: Number(y),
  }));

it('leads each band beside the boxes of the layers that it skips', () => {
  fc.assert(
    fc.property(overview, (one) => {
      const { columns, bands } = flowOf(one);
      for (const { path } of bands) {
        const corners = cornersOf(path);
        const upper = corners.slice(0, corners.length / 2);
        for (const [index, { x, y }] of upper.entries()) {
          const low = corners.at(-1 - index);
          expect(low?.x).toBe(x);
          expect([y >= -1e-6, (low?.y ?? 0) <= flowHeight + 1e-6]).toEqual([true, true]);
          const isEnd = index === 0 || index === upper.length - 1;
          for (const { left, boxes } of isEnd ? [] : columns)
            for (const { top, height } of Math.abs(1_000 * (left + boxWidth / 2) - x) < 61 ? boxes : [])
              expect((low?.y ?? 0) <= top + 1e-6 || y >= top + height - 1e-6).toBe(true);
        }
        // Between its ends a band has two corners above and two below in each layer.
        const between = columns.filter(
          ({ left }) => 1_000 * left > (upper[0]?.x ?? 0) && 1_000 * left < (upper.at(-1)?.x ?? 0) - 1,
        );
        expect(upper).toHaveLength(2 + 2 * between.length);
      }
    }),
  );
});

it('keeps boxes and lanes of a layer apart and inside of the drawing', () => {
  fc.assert(
    fc.property(overview, (one) => {
      for (const { boxes, lane } of flowOf(one).columns) {
        const spans = [...boxes, ...(lane ? [lane] : [])].toSorted((a, b) => a.top - b.top);
        for (const [index, { top, height }] of spans.entries()) {
          expect(height).toBeGreaterThan(0);
          expect(top + height).toBeLessThan((spans[index + 1]?.top ?? flowHeight) + 1e-6);
        }
      }
    }),
  );
});

it('draws bands as wide as their edges are many, the widest through a lane', () => {
  const schemas = layers.slice(0, 3).map((layer) => ({ layer, relations: 10, schema: `shop.${layer}` }));
  const flows = [
    { upstream: 0, downstream: 1, edges: 10 },
    { upstream: 0, downstream: 2, edges: 40 },
    { upstream: 1, downstream: 2, edges: 5 },
  ];
  const { columns, bands } = flowOf({ schemas, flows });
  expect(columns.map(({ lane }) => lane !== null)).toEqual([false, true, false]);
  const widths = bands.map(({ path }) => {
    const corners = cornersOf(path);
    return (corners.at(-1)?.y ?? 0) - (corners[0]?.y ?? 0);
  });
  const [first = 0] = widths;
  expect(widths.map((width) => Math.round((10 * width) / first))).toEqual([10, 40, 5]);
});
