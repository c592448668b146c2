import * as v from 'valibot';
import { type HostAnswer, HostRefusal, ok, readBody, required } from './answers.ts';
import { Annotation, type HostCheckRun, type HostRepository } from './state.ts';

const limits = { annotations: 50, text: 65_535 };
const bounded = v.pipe(v.string(), v.maxLength(limits.text));

const output = v.object({
  title: v.string(),
  summary: bounded,
  text: v.optional(bounded),
  annotations: v.optional(v.pipe(v.array(Annotation), v.maxLength(limits.annotations)), []),
});
const changes = {
  status: v.optional(v.picklist(['queued', 'in_progress', 'completed'])),
  conclusion: v.optional(
    v.picklist(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out']),
  ),
  external_id: v.optional(v.string()),
  details_url: v.optional(v.string()),
  output: v.optional(output),
};
const Creation = v.object({
  name: v.pipe(v.string(), v.nonEmpty()),
  head_sha: v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/)),
  ...changes,
});
const Update = v.object(changes);

/** The check runs of a repository as GitHub's REST interface keeps them: of updates, annotations add up. */
export const checkRuns = {
  create(repository: HostRepository, appId: number, body: unknown): HostAnswer {
    const pending = readBody(Creation, body);
    const run: HostCheckRun = {
      id: 1_000 + repository.checkRuns.length,
      name: pending.name,
      head_sha: pending.head_sha,
      app_id: appId,
      external_id: '',
      status: 'queued',
      conclusion: null,
      output: { title: null, summary: null, text: null },
      annotations: [],
      requests: [],
    };
    repository.checkRuns.push(run);
    change(run, pending);
    return ok(shown(run), 201);
  },
  update(repository: HostRepository, appId: number, id: string, body: unknown): HostAnswer {
    const run = required(repository.checkRuns.find((one) => String(one.id) === id && one.app_id === appId));
    change(run, readBody(Update, body));
    return ok(shown(run));
  },
  annotations({ checkRuns: all }: HostRepository, id: string): HostAnswer {
    return ok(required(all.find((one) => String(one.id) === id)).annotations);
  },
  /** The newest of each name, unless all are requested. */
  list({ checkRuns: all }: HostRepository, ref: string, query: URLSearchParams): HostAnswer {
    const name = query.get('check_name');
    const app = query.get('app_id');
    const found = all.filter(
      (run) =>
        run.head_sha === ref && (name === null || run.name === name) && (app === null || String(run.app_id) === app),
    );
    const newest = new Map(found.map((run) => [run.name, run]));
    const latest = query.get('filter') === 'all' ? found : [...newest.values()];
    return ok({ total_count: latest.length, check_runs: latest.toReversed().map(shown) });
  },
};

function change(run: HostCheckRun, request: v.InferOutput<typeof Update>): void {
  const { status, conclusion, external_id, output: reportedOutput } = request;
  if (status === 'completed' && conclusion === undefined) throw new HostRefusal(422, 'conclusion is required');
  if (conclusion !== undefined) Object.assign(run, { conclusion, status: 'completed' });
  else if (status !== undefined) Object.assign(run, { status, conclusion: null });
  if (external_id !== undefined) run.external_id = external_id;
  if (reportedOutput === undefined) return;
  const { annotations, title, summary, text = null } = reportedOutput;
  run.output = { title, summary, text };
  run.annotations.push(...annotations);
  run.requests.push(annotations.length);
}

const shown = ({ annotations, requests: _, app_id, output: own, ...run }: HostCheckRun) => ({
  ...run,
  app: { id: app_id },
  html_url: `https://codehost.test/runs/${run.id}`,
  output: { ...own, annotations_count: annotations.length },
});
