import * as v from 'valibot';
import type {
  Annotation,
  CheckRun,
  CheckRunChange,
  PullRequestsOfHost,
  RepositoryPlace,
} from '../../domain/codehost/pull-requests/ports.ts';
import { repositoryParameters } from './repository-parameters.ts';
import { asked, type RestClient } from './rest-client.ts';

/** The name of the check runs, by which a host lets a branch require them. */
const checkName = 'Tributary lineage';

const id = v.pipe(v.union([v.number(), v.bigint()]), v.transform(String));
const Run = v.object({
  id,
  external_id: v.nullish(v.string(), ''),
  status: v.string(),
  output: v.object({ annotations_count: v.number() }),
});
const Runs = v.object({ check_runs: v.array(Run) });

type ClientOf = (place: RepositoryPlace) => Promise<RestClient>;
type CheckRunsOfHost = Pick<PullRequestsOfHost, 'checkRun' | 'createCheckRun' | 'updateCheckRun'>;

/** Check runs by GitHub's REST interface: those of this app alone, all under one name. */
export const checkRunsOfHost = (clientOf: ClientOf): CheckRunsOfHost => ({
  checkRun: async (place, commit) => findCheckRun(await clientOf(place), place, commit),
  createCheckRun: async (place, commit, change) => {
    const rest = await clientOf(place);
    const body = { name: checkName, head_sha: commit, ...bodyOf(change) };
    const answer = await asked(() =>
      rest('POST /repos/{owner}/{repo}/check-runs', { ...repositoryParameters(place), ...body }),
    );
    return v.parse(v.object({ id }), answer.data).id;
  },
  updateCheckRun: async (place, run, change) => {
    const rest = await clientOf(place);
    const parameters = { ...repositoryParameters(place), check_run_id: Number(run), ...bodyOf(change) };
    await asked(() => rest('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', parameters));
  },
});

async function findCheckRun(rest: RestClient, place: RepositoryPlace, commit: string): Promise<CheckRun | null> {
  const filter = { ref: commit, check_name: checkName, app_id: Number(place.credentials.appId) };
  const answer = await asked(() =>
    rest('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', { ...repositoryParameters(place), ...filter }),
  );
  const [run] = v.parse(Runs, answer.data).check_runs;
  if (run === undefined) return null;
  return {
    id: run.id,
    externalId: run.external_id,
    isCompleted: run.status === 'completed',
    annotations: run.output.annotations_count,
  };
}

const bodyOf = ({ externalId, conclusion, title, summary, annotations }: CheckRunChange) => ({
  external_id: externalId,
  ...(conclusion === null ? { status: 'in_progress' as const } : { status: 'completed' as const, conclusion }),
  output: { title, summary, annotations: annotations.map(annotationOf) },
});

const annotationOf = ({ path, line, level, title, message }: Annotation) => ({
  path,
  start_line: line,
  end_line: line,
  annotation_level: level,
  title,
  message,
});
