import { limits } from '../../../contract/limits.ts';
import type { Annotation, CheckRun, CheckRunChange, PullRequestsOfHost, RepositoryPlace } from './ports.ts';
import type { Verdict } from './verdict.ts';

const { perRequest } = limits.codehost.annotations;

/**
 * Has the commit's check run say the verdict. The run of the commit is changed in place; where it has annotations of another
 * verdict, which the host takes back from nobody, another run of the same name stands in its place. What was interrupted is
 * gone on with: the annotations come in the same order.
 */
export async function publishVerdict(
  host: PullRequestsOfHost,
  place: RepositoryPlace,
  commit: string,
  verdict: Verdict,
): Promise<void> {
  const externalId = `tributary:${verdict.digest}`;
  const run = await host.checkRun(place, commit);
  const isSame = run?.externalId === externalId;
  if (isSame && run.isCompleted) return;
  const kept = run !== null && (isSame || run.annotations === 0) ? run : null;
  await say(host, place, { commit, run: kept, externalId, verdict });
}

type Saying = {
  readonly commit: string;
  readonly run: CheckRun | null;
  readonly externalId: string;
  readonly verdict: Verdict;
};

async function say(host: PullRequestsOfHost, place: RepositoryPlace, saying: Saying): Promise<void> {
  const { commit, run, externalId, verdict } = saying;
  const { conclusion, title, summary, annotations } = verdict;
  const parts = partsOf(annotations.slice(run?.annotations ?? 0));
  let id = run?.id ?? null;
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    const change: CheckRunChange = {
      externalId,
      conclusion: isLast ? conclusion : null,
      title,
      summary,
      annotations: part,
    };
    if (id === null) id = await host.createCheckRun(place, commit, change);
    else await host.updateCheckRun(place, id, change);
  }
}

/** One part at the least: it ends the run. */
function partsOf(annotations: readonly Annotation[]): readonly (readonly Annotation[])[] {
  const parts = Array.from({ length: Math.ceil(annotations.length / perRequest) }, (_, i) =>
    annotations.slice(i * perRequest, (i + 1) * perRequest),
  );
  return parts.length > 0 ? parts : [[]];
}
