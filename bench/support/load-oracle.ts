import { columnSources, type LoadJob, type Profile } from './openlineage-load.ts';

type Neighbours = (name: string, depth: number) => ReadonlySet<string>;

type Edge = readonly [from: string, to: string];

/**
 * What the load says is above and below a dataset, or, of columns, a `DATASET.COLUMN`, up to `depth` steps: a walk over
 * the jobs themselves.
 */
export function neighboursOf(jobs: readonly LoadJob[], profile: Profile, of: 'datasets' | 'columns'): Neighbours {
  const edgesOf = of === 'datasets' ? datasetEdges : columnEdges;
  const [below, above] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const [from, to] of jobs.flatMap((job) => edgesOf(job, profile))) {
    below.set(from, [...(below.get(from) ?? []), to]);
    above.set(to, [...(above.get(to) ?? []), from]);
  }
  return (name, depth) => new Set([...walk(below, name, depth), ...walk(above, name, depth)]);
}

/** If a job has several outputs, each reads what its columns come from; a single output reads all inputs. */
const datasetEdges = ({ inputs, outputs }: LoadJob, profile: Profile): readonly Edge[] => {
  const sources = columnSources(inputs, profile).flatMap(({ sources }) => sources.map(({ name }) => name));
  return outputs.flatMap((to) => (outputs.length > 1 ? sources : inputs).map((from): Edge => [from, to]));
};

const columnEdges = (job: LoadJob, profile: Profile): readonly Edge[] =>
  job.outputs.flatMap((output) =>
    columnSources(job.inputs, profile).flatMap(({ column, sources }) =>
      sources.map(({ name, field }): Edge => [`${name}.${field}`, `${output}.${column}`]),
    ),
  );

function walk(next: ReadonlyMap<string, readonly string[]>, start: string, depth: number): ReadonlySet<string> {
  const found = new Set<string>();
  let edge: readonly string[] = [start];
  for (let step = 0; step < depth; step++) {
    const reached = new Set(edge.flatMap((one) => next.get(one) ?? []));
    // Once each: in layers that all read each other, the paths to them multiply with every step.
    edge = [...reached].filter((one) => one !== start && !found.has(one));
    for (const one of edge) found.add(one);
  }
  return found;
}
