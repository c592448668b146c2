import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoised } from '../../shared/domain/base/caching.ts';

const reversed = (text: string) => [...text].reverse();

it('answers as its function does, without asking it again for the last results', () => {
  const texts = fc.array(fc.stringMatching(/^[a-f]{1,2}$/), { maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 8 }), (request, entries) => {
      const computed: string[] = [];
      const remembering = memoised(entries, (text: string) => {
        computed.push(text);
        return reversed(text);
      });
      for (const [i, text] of request.entries()) {
        computed.length = 0;
        expect(remembering(text)).toEqual(reversed(text));
        const last = new Set<string>();
        for (let before = i - 1; before >= 0 && last.size < entries; before--) last.add(request[before] ?? '');
        if (last.has(text)) expect(computed).toEqual([]);
      }
    }),
  );
});

it('forgets what was requested long ago', () => {
  let computed = 0;
  const remembering = memoised(10, (text: string) => {
    computed++;
    return reversed(text);
  });
  for (let i = 0; i < 100; i++) remembering(String(i));
  for (let i = 0; i < 80; i++) remembering(String(i));
  expect(computed).toBe(180);
});
