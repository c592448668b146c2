import { sentStore } from '../../../shared/adapters/dynamodb/registry/webhooks.ts';
import { table } from '../../../shared/runtime/composition/stores.ts';
import type { FaultRun } from './run.ts';
import type { Place } from './world.ts';

/** What the receiver of webhooks knows, who drops what it had by its id, and how each notification ended. */
export async function notificationLines(
  { others, stores }: FaultRun,
  { workspace, webhook }: Place,
): Promise<string[]> {
  const once = [...new Map(others.received.map((one) => [one.id, one])).values()];
  const sent = await sentStore(stores.used(table)()).list(workspace, webhook, {
    state: null,
    limit: 200,
    before: null,
  });
  return [
    ...unique(
      once.map(({ type, summary, isSigned }) => [type, `notified ${summary} ${isSigned ? 'signed' : 'unsigned'}`]),
    ),
    ...unique(sent.map(({ notification: { type, summary }, state }) => [type, `notification ${summary} ${state}`])),
  ];
}

/** A client that retried the creation of a check has two, and each sends notifications. */
function unique(lines: readonly (readonly [type: string, line: string])[]): string[] {
  const ofChecks = lines.filter(([type]) => type === 'check.failed').map(([, line]) => line);
  const others = lines.filter(([type]) => type !== 'check.failed').map(([, line]) => line);
  return [...others, ...new Set(ofChecks)];
}

/** What the host shows at each commit: of check runs of one name the newest, and how many say the same. */
export function pullRequestLines({ others }: FaultRun): string[] {
  const runs = others.host.repositories.flatMap(({ checkRuns }) => checkRuns);
  const shown = new Map(runs.map((run) => [run.head_sha, run]));
  return [...shown.values()].map(({ head_sha, status, conclusion, external_id, annotations }) => {
    const same = runs.filter((run) => run.head_sha === head_sha && run.external_id === external_id).length;
    const places = annotations.map(({ path, start_line, title }) => `${path}:${start_line} ${title}`).sort();
    return `check run ${head_sha} ${status} ${conclusion} ${external_id} ${same} ${places.join(', ')}`;
  });
}
