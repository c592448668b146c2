import { inParallel } from '../../base/concurrency.ts';
import type { Announce } from '../../notifications/happenings.ts';
import type { Announcements } from '../../notifications/webhook.ts';

/** Of each list; the rest waits for the next run. */
const perRun = 200;
const inFlight = 8;

/** Sends notifications that their writers did not send; returns their number. Duplicates are sent once. */
export async function resendAnnouncements(
  ports: { readonly announcements: Pick<Announcements, 'due'>; readonly announce: Announce },
  now: Date,
): Promise<number> {
  const due = await ports.announcements.due(now.toISOString(), perRun);
  await inParallel(inFlight, due, ({ workspace_id, notification }) => ports.announce(workspace_id, notification));
  return due.length;
}
