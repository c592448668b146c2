import { describe, expect, it } from 'vitest';
import { type EvidenceMark, untilOf, untilSeen } from '../../../shared/domain/lineage/queries/claim/evidence-until.ts';

const now = new Date('2026-11-28T12:00:00.000Z');
const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString();
const mark = (fields: Partial<EvidenceMark>): EvidenceMark => ({
  touched: at(-5),
  until: null,
  looked: null,
  covers: null,
  waits: false,
  lowered: 0,
  ...fields,
});

describe('the moment before which no delivery waits', () => {
  it('is now if nothing was accepted since somebody looked (C-CLAIM-6)', () => {
    expect(untilOf(null, now)).toEqual({ until: at(0), waits: false });
    expect(untilOf(mark({ touched: at(-60), until: at(-50), looked: at(-40) }), now)).toEqual({
      until: at(0),
      waits: false,
    });
  });

  it('is that of the last look for a moment, or longer if nothing is accepted since, and then has to be looked up', () => {
    const seen = mark({ until: at(-15), looked: at(-1), waits: true });
    expect(untilOf(seen, now)).toEqual({ until: at(-15), waits: true });
    const older = mark({ until: at(-15), looked: at(-9) });
    expect(untilOf(older, now)).toBeNull();
    expect(untilOf({ ...older, covers: older.touched }, now)).toEqual({ until: at(-15), waits: false });
    expect(untilOf(mark({ until: at(-40), looked: at(-30) }), now)).toBeNull();
    expect(untilOf(mark({}), now)).toBeNull();
    expect(untilOf(mark({ until: at(-15), looked: at(60) }), now)).toBeNull();
  });

  it('is that of the oldest delivery that waits, and leaves room for what is being accepted', () => {
    expect(untilSeen(at(-90), now)).toEqual({ until: at(-90), waits: true });
    expect(untilSeen(at(-1), now)).toEqual({ until: at(-10), waits: true });
    expect(untilSeen(null, now)).toEqual({ until: at(-10), waits: false });
  });
});
