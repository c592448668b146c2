import { type CollectionProjectRef, changeProject } from './collection-projects.ts';
import { RetentionDays } from './inputs.ts';
import { type OperatorPorts, requireValid } from './operator.ts';
import type { CollectionProject } from './records.ts';

/** Sets for how many days events are kept after their receipt; null for ever. */
export function setEventsRetention(
  ports: OperatorPorts,
  place: CollectionProjectRef,
  days: number | null,
): Promise<CollectionProject> {
  const events_retention_days = requireValid(RetentionDays, days);
  return changeProject(ports, place, {
    action: 'collection_project.retention',
    subject: { events_retention_days },
    next: (project) =>
      project.events_retention_days === events_retention_days
        ? null
        : { record: { ...project, events_retention_days } },
  });
}
