import { expect, it } from 'vitest';
import { isPartial, limitCodes, limitOf } from '../../shared/contract/claim.ts';

const recorded = './__snapshots__/limit-texts.json.snap';

it('words each limit of a claim as it is recorded, about one subject and about several', async () => {
  const texts = limitCodes.map((code) => {
    const one = limitOf(code, { count: 1, detail: 'the_detail' });
    const several = limitOf(code, { count: 3, detail: 'the_detail' });
    return { ...one, several: several.text, partial: isPartial(code) };
  });
  await expect(`${JSON.stringify(texts, null, 2)}\n`).toMatchFileSnapshot(recorded);
});
