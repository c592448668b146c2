import * as v from 'valibot';
import { limits } from '../../shared/contract/limits.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { loadEdges, sidesOf } from '../support/load-oracle.ts';
import { randomFloats } from '../support/random-floats.ts';
import { oneOf, type Project, relationEdges, relationOf } from './projects.ts';
import type { Team } from './team.ts';

const depth = 10;
const Named = v.array(v.object({ relation_ref: v.string() }));
const Impact = v.object({ upstream: Named, downstream: Named });

export type Readers = {
  /** Milliseconds of each response, by question. */
  readonly latencies: Readonly<Record<keyof typeof weights, number[]>>;
  readonly checked: () => number;
  readonly wrong: readonly string[];
  /** Each of some readers asks one question, while snapshots may be on their way or not. */
  readonly ask: (readers: number, state: 'working' | 'quiet') => Promise<void>;
};

/** Which questions are how frequent. */
const weights = { project: 4, pipeline: 3, columns: 2, search: 3, relation: 3, explain: 2, overview: 1 } as const;
const draws = Object.entries(weights).flatMap(([kind, weight]) =>
  Array.from({ length: weight }, () => kind as keyof typeof weights),
);

/** People who query the team's graph, eight at a time. Compares the neighbours in responses with the sent lineage. */
export function readersOf(team: Team): Readers {
  const random = randomFloats(200);
  const latencies = Object.fromEntries(
    Object.keys(weights).map((kind) => [kind, []]),
  ) as unknown as Readers['latencies'];
  const wrong: string[] = [];
  let checked = 0;
  const ofJobs = sidesOf(
    loadEdges(team.jobs, 'w1', 'datasets').map(([from, to]) => [`analytics.public.${from}`, `analytics.public.${to}`]),
  );
  const datasets = [...new Set(team.jobs.flatMap(({ outputs }) => outputs))].map((name) => `analytics.public.${name}`);

  const get = async (kind: keyof typeof weights, path: string, query: Readonly<Record<string, string>>) => {
    const place = { workspace_id: team.workspace, connector_id: team.connector.id };
    const token = oneOf(team.readerTokens, random);
    const { status, body, ms } = await team.call('GET', `${path}?${new URLSearchParams({ ...place, ...query })}`, {
      token,
    });
    latencies[kind].push(ms);
    if (status !== 200)
      wrong.push(`${path} responded with ${status} to ${JSON.stringify(query)}: ${JSON.stringify(body)}`);
    return status === 200 ? body : null;
  };

  const compare = (relation: string, body: unknown, possible: readonly Sides[]): void => {
    if (body === null) return;
    checked++;
    const { upstream, downstream } = v.parse(Impact, body);
    const seen = textOf({
      upstream: new Set(upstream.map((one) => one.relation_ref)),
      downstream: new Set(downstream.map((one) => one.relation_ref)),
    });
    const expected = possible.map(textOf);
    if (!expected.includes(seen)) wrong.push(`impact of ${relation} is ${seen} instead of ${expected.join(' or ')}`);
  };

  const impact = (kind: keyof typeof weights, relation_ref: string, more = {}) =>
    get(kind, '/v1/lineage/impact', {
      relation_ref,
      direction: 'both',
      max_depth: String(depth),
      max_nodes: String(limits.impact.nodes.max),
      ...more,
    });

  const someModel = () => {
    const { before, now } = oneOf(team.projects(), random);
    return { before, now, model: oneOf(now.models, random) };
  };

  const questions: Readonly<Record<keyof typeof weights, (state: 'working' | 'quiet') => Promise<unknown>>> = {
    project: async (state) => {
      const { before, now, model } = someModel();
      const relation = relationOf(now, model.name);
      const answer = await impact('project', relation);
      const possible = state === 'quiet' ? [now] : [before, now];
      compare(
        relation,
        answer,
        possible.map((one) => sidesIn(one, relation)),
      );
    },
    pipeline: async () => {
      const relation = oneOf(datasets, random);
      compare(relation, await impact('pipeline', relation), [ofJobs(relation, depth)]);
    },
    columns: async () => impact('columns', oneOf(datasets, random), { column_ref: 'c00' }),
    search: async () => get('search', '/v1/lineage/relations', { q: oneOf(['team', 'ds_1', 'raw', 'm1'], random) }),
    relation: async () => {
      // What a model read an hour ago: a source that none has read yet is in no edge, and not known.
      const [relation_ref] = oneOf(relationEdges(someModel().before), random);
      return get('relation', '/v1/lineage/relation', { relation_ref });
    },
    explain: async () => {
      const [upstream, downstream] = oneOf(relationEdges(someModel().now), random);
      return get('explain', '/v1/lineage/edges/explain', { upstream, downstream });
    },
    overview: async () => get('overview', '/v1/lineage/overview', {}),
  };

  return {
    latencies,
    checked: () => checked,
    wrong,
    ask: async (readers, state) => {
      const kinds = Array.from({ length: readers }, () => oneOf(draws, random));
      await inParallel(8, kinds, (kind) => questions[kind](state));
    },
  };
}

type Sides = { readonly upstream: ReadonlySet<string>; readonly downstream: ReadonlySet<string> };

const sidesIn = (project: Project, relation: string): Sides => sidesOf(relationEdges(project))(relation, depth);

const textOf = ({ upstream, downstream }: Sides): string =>
  JSON.stringify({ upstream: [...upstream].sort(), downstream: [...downstream].sort() });
