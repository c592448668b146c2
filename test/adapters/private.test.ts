import { describe, expect, it } from 'vitest';
import { ownerGrant } from '../../local/private.ts';

describe('the access list that keeps a folder private on Windows', () => {
  it('inherits nothing, and is only for the user and the system', () => {
    expect(ownerGrant('C:\\data', 'ann', '(OI)(CI)F')).toEqual([
      'C:\\data',
      '/inheritance:r',
      '/grant:r',
      'ann:(OI)(CI)F',
      '*S-1-5-18:(OI)(CI)F',
    ]);
  });
});
