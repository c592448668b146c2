import { describe, expect, it } from 'vitest';
import { ownerGrant } from '../../local/private.ts';

describe('what Windows is told to keep private', () => {
  it('inherits nothing, and is for the user and the system alone', () => {
    expect(ownerGrant('C:\\data', 'ann', '(OI)(CI)F')).toEqual([
      'C:\\data',
      '/inheritance:r',
      '/grant:r',
      'ann:(OI)(CI)F',
      '*S-1-5-18:(OI)(CI)F',
    ]);
  });
});
