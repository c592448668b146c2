import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CollectionProjectId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { EventCount } from '../../shared/domain/events/event-counts.ts';
import { pausing } from '../../shared/runtime/pausing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const counted = (accepted: number): EventCount => ({
  workspace_id: 'w' as WorkspaceId,
  project_id: 'p' as CollectionProjectId,
  date: '2026-11-28',
  accepted,
  repeated: 0,
  rejected: {},
});

describe('counts of events with a pause between writes', () => {
  it('writes the first at once, those of the pause as one sum at its end, and later ones at once again', async () => {
    const written: number[] = [];
    const count = pausing(async (counts) => void written.push(...counts.map(({ accepted }) => accepted)), 1_000);
    await count([counted(1)]);
    expect(written).toEqual([1]);
    await count([counted(2)]);
    await count([counted(3)]);
    expect(written).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([1, 5]);
    // That write also began a pause. Nothing came in it.
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([1, 5]);
    await count([counted(4)]);
    expect(written).toEqual([1, 5, 4]);
  });
});
