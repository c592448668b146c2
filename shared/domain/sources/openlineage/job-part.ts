import type { Job, Named } from './event.ts';

/**
 * A custom job facet: the event tells of one output of the job alone. A JobEvent replaces all that its job declared
 * before, so without it the events of a job that are one an output would replace each other.
 */
export const jobPartKey = 'tributary_part';

export const jobPartFacet = ({ namespace, name }: Named, producer: string) => ({
  _producer: producer,
  _schemaURL: 'urn:tributary:facets:PartJobFacet:1-0-0',
  output: { namespace, name },
});

/** The output that a job's event tells of alone; null where it tells of the whole job. */
export function jobPartOf(job: Job): Named | null {
  const facet = job.facets?.[jobPartKey];
  const output = typeof facet === 'object' && facet !== null && 'output' in facet ? facet.output : null;
  if (typeof output !== 'object' || output === null || !('namespace' in output) || !('name' in output)) return null;
  const { namespace, name } = output;
  return typeof namespace === 'string' && typeof name === 'string' ? { namespace, name } : null;
}
