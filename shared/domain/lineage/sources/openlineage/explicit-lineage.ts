import type { DatasetLineageFacet, JobLineageFacet, LineageInput, Named } from './event.ts';
import { type InputMapping, transformationKindsOf, type UrnOf, wholeInput } from './input-mapping.ts';

type LineageTarget = { readonly dataset: Named; readonly sources: readonly InputMapping[] };

/** Jobs are no vertices: what feeds a job that feeds a dataset, in the same facet, feeds the dataset. */
export function jobLineageTargets({ entries = [] }: JobLineageFacet, urnOf: UrnOf): LineageTarget[] {
  const feedsOf = feedsOfJobs(entries);
  return entries.flatMap((entry) => {
    if (entry.type !== 'DATASET') return [];
    const dataset = { namespace: entry.namespace, name: entry.name };
    return [{ dataset, sources: datasetLineageSources(entry, urnOf, feedsOf) }];
  });
}

/** A `lineage` facet of a dataset: LineageDatasetFacet 1-0-0. */
export function datasetLineageSources(
  { inputs = [], fields = {} }: DatasetLineageFacet,
  urnOf: UrnOf,
  feedsOf: FeedsOf = () => [],
): InputMapping[] {
  const whole = inputs.flatMap((input) => explicitSources(input, null, urnOf, feedsOf));
  const columns = Object.entries(fields).flatMap(([column, entry]) =>
    entry.inputs.flatMap((input) => explicitSources(input, column, urnOf, feedsOf)),
  );
  return [...whole, ...columns];
}

type FeedsOf = (job: Partial<Named>) => readonly Named[];

function explicitSources(
  input: LineageInput,
  outputColumn: string | null,
  urnOf: UrnOf,
  feedsOf: FeedsOf,
): InputMapping[] {
  if (input.type === 'JOB') return feedsOf(input).map((feed) => ({ ...wholeInput(urnOf(feed)), outputColumn }));
  const { field } = input;
  if (field === undefined) return [{ ...wholeInput(urnOf(input)), outputColumn }];
  const kinds = transformationKindsOf(input.transformations, outputColumn);
  return kinds.map((kind) => ({ input: urnOf(input), inputColumn: field, outputColumn, ...kind }));
}

/** The datasets that reach a named job, through other named jobs too; the event's own job, unnamed, is no step. */
function feedsOfJobs(entries: NonNullable<JobLineageFacet['entries']>): FeedsOf {
  const inputsOf = new Map<string, LineageInput[]>();
  for (const entry of entries) {
    if (entry.type !== 'JOB' || entry.name === undefined) continue;
    inputsOf.set(nameOf(entry), [...(inputsOf.get(nameOf(entry)) ?? []), ...(entry.inputs ?? [])]);
  }
  return (job) => {
    const found: Named[] = [];
    const seen = new Set<string>();
    for (const pending: Partial<Named>[] = [job]; pending.length > 0; ) {
      const next = nameOf(pending.pop() ?? {});
      if (seen.has(next)) continue;
      seen.add(next);
      for (const input of inputsOf.get(next) ?? []) (input.type === 'JOB' ? pending : found).push(input as Named);
    }
    return found;
  };
}

const nameOf = ({ namespace, name }: Partial<Named>) => JSON.stringify([namespace, name]);
