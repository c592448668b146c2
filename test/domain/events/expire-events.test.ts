import { expect, it } from 'vitest';
import type { CollectionProjectId, WorkspaceId } from '../../../shared/contract/ids.ts';
import { partitionOf, type StoredObject } from '../../../shared/contract/lake.ts';
import { type ExpireEventsPorts, expireEvents } from '../../../shared/domain/events/expire-events.ts';

const now = new Date('2026-11-29T12:30:00Z');
const workspace_id = 'ws_events' as WorkspaceId;
const days: Readonly<Record<string, number | null>> = { kept: null, short: 1, long: 30 };

/** A lake with an object of each of the last 48 hours in each project, which lists more than the caller may need. */
function lakeOf() {
  const projects = Object.entries(days).map(([id, events_retention_days]) => {
    return { id: id as CollectionProjectId, workspace_id, events_retention_days };
  });
  const objects = new Set<StoredObject>();
  for (const { id: project_id } of projects)
    for (let hours = 1; hours <= 48; hours++) {
      const received_at = new Date(now.getTime() - hours * 3_600_000).toISOString();
      objects.add({
        partition: partitionOf({ workspace_id, project_id, environment: 'prod', received_at }),
        runId: 'run',
      });
    }
  const ports: ExpireEventsPorts = {
    workspaces: async () => [{ id: workspace_id }],
    projects: async () => projects,
    objectsBefore: async function* ({ id }) {
      for (const object of [...objects]) if (object.partition.includes(`project=${id}/`)) yield object;
    },
    remove: async (object) => void objects.delete(object),
  };
  const hoursOf = (project: string) =>
    [...objects].flatMap(({ partition }) => (partition.includes(`project=${project}/`) ? [partition.slice(-18)] : []));
  return { ports, hoursOf };
}

it('removes the hours of a project that ended before its retention, and counts their objects', async () => {
  const { ports, hoursOf } = lakeOf();
  expect(await expireEvents(ports, { now, timeIsUp: () => false })).toBe(24);
  expect([hoursOf('kept').length, hoursOf('long').length]).toEqual([48, 48]);
  // The hour that the limit is in has events that are kept.
  expect(hoursOf('short')).toHaveLength(24);
  expect(hoursOf('short').at(-1)).toBe('2026-11-28/hour=12');
  expect(await expireEvents(ports, { now, timeIsUp: () => false })).toBe(0);
  expect(await expireEvents(ports, { now: new Date('2026-11-29T13:00:00Z'), timeIsUp: () => false })).toBe(1);
});

it('leaves to the next run what it has no time for', async () => {
  const { ports, hoursOf } = lakeOf();
  let turns = 0;
  const removed = await expireEvents(ports, { now, timeIsUp: () => ++turns > 30 });
  expect(hoursOf('short')).toHaveLength(48 - removed);
  expect(removed).toBeLessThan(24);
  expect(await expireEvents(ports, { now, timeIsUp: () => false })).toBe(24 - removed);
});
