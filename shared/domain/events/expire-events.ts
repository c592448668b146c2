import type { StoredObject } from '../../contract/lake.ts';
import { endOf } from '../../contract/lake.ts';
import { inParallel } from '../base/concurrency.ts';
import type { CollectionProject, Workspace } from '../workspaces/access/records.ts';

type ProjectOfEvents = Pick<CollectionProject, 'id' | 'workspace_id' | 'events_retention_days'>;

export type ExpireEventsPorts = {
  readonly workspaces: () => Promise<readonly Pick<Workspace, 'id'>[]>;
  readonly projects: (workspace: Workspace['id']) => Promise<readonly ProjectOfEvents[]>;
  /** The objects of a project that hold events received before a time, whether or not readers read them. */
  readonly objectsBefore: (project: ProjectOfEvents, before: Date) => AsyncIterable<StoredObject>;
  readonly remove: (object: StoredObject) => Promise<void>;
};

const dayMs = 86_400_000;
const removalsAtOnce = 16;

export async function expireEvents(
  ports: ExpireEventsPorts,
  { now, timeIsUp }: { readonly now: Date; readonly timeIsUp: () => boolean },
): Promise<number> {
  let removed = 0;
  for (const { id } of await ports.workspaces())
    for (const project of await ports.projects(id)) {
      if (project.events_retention_days === null || timeIsUp()) continue;
      const before = new Date(now.getTime() - project.events_retention_days * dayMs);
      removed += await removeBefore(ports, project, { before, timeIsUp });
    }
  return removed;
}

type Bounds = { readonly before: Date; readonly timeIsUp: () => boolean };

async function removeBefore(ports: ExpireEventsPorts, project: ProjectOfEvents, { before, timeIsUp }: Bounds) {
  let [removed, found]: [number, StoredObject[]] = [0, []];
  const remove = async () => {
    await inParallel(removalsAtOnce, found, ports.remove);
    [removed, found] = [removed + found.length, []];
  };
  for await (const object of ports.objectsBefore(project, before)) {
    if (timeIsUp()) break;
    if (endOf(object.partition) <= before.getTime()) found.push(object);
    if (found.length === removalsAtOnce) await remove();
  }
  await remove();
  return removed;
}
