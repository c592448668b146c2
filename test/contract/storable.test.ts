import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPointer } from '../../shared/contract/field-errors.ts';
import { unstorableAt } from '../../shared/contract/fields.ts';

const unstorable = fc.constantFrom('x\0y', '\ud800', 'a\udc00', '\uffff', '\ufffe');
const text = fc.string({ unit: 'grapheme-ascii', maxLength: 4 });
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(1, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
}));
const steps = fc.array(fc.oneof(fc.constant('list' as const), text), { maxLength: 4 });

/** What leads to a value by these steps, among other values; with the pointer to it. */
function within(inner: unknown, path: readonly string[], others: unknown): { document: unknown; pointer: string } {
  return path.reduceRight(
    ({ document, pointer }, step) =>
      step === 'list'
        ? { document: [others, document], pointer: jsonPointer('1') + pointer }
        : { document: { [`${step}~`]: others, [step]: document }, pointer: jsonPointer(step) + pointer },
    { document: inner, pointer: '' },
  );
}

describe('a text that no store takes', () => {
  it('is found wherever it is, by its JSON pointer', () => {
    fc.assert(
      fc.property(unstorable, steps, value, (bad, path, others) => {
        const { document, pointer } = within(bad, path, others);
        expect(unstorableAt(document)).toBe(pointer);
        expect(unstorableAt(document, '/body')).toBe(`/body${pointer}`);
      }),
    );
  });

  it('is found as the name of a field too, at the object that has it', () => {
    fc.assert(
      fc.property(unstorable, steps, value, (bad, path, others) => {
        const { document, pointer } = within({ [bad]: others }, path, others);
        expect(unstorableAt(document)).toBe(pointer);
      }),
    );
  });

  it('is not looked for in fields that are left out, at the top only', () => {
    expect(unstorableAt({ raw: ['\0'], x: 1 }, '', ['raw'])).toBeNull();
    expect(unstorableAt({ inner: { raw: '\0' } }, '', ['raw'])).toBe('/inner/raw');
  });

  it('is in no other value', () => {
    fc.assert(fc.property(value, (one) => unstorableAt(one) === null));
  });
});
