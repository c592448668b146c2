import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requirePlanned } from '../../../shared/domain/events/receive/validate-events.ts';
import { wellFormedLine } from '../../../shared/domain/events/receive/well-formed.ts';

const odd = fc.constantFrom('\0', '\ud800', '\udc00', '\ufffd', '\\');
const unit = fc.oneof({ weight: 40, arbitrary: fc.constantFrom('a', 'u', 'é', '"', '😀') }, odd);
const text = fc.string({ unit, maxLength: 8 });

it('an event that a tracking plan is given in place of its line says what the line says (C-PLAN-2)', () => {
  let given = 0;
  const told = fc.array(fc.record({ event: text, properties: fc.dictionary(text, fc.oneof(text, fc.integer())) }));
  fc.assert(
    fc.property(told, (events) => {
      const lines = events.map((event) => wellFormedLine(JSON.stringify(event), event));
      requirePlanned(lines, events, String, (line, _, event) => {
        if (event !== undefined) given += 1;
        if (event !== undefined) expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(event)));
        return [];
      });
    }),
  );
  expect(given).toBeGreaterThan(10);
});
