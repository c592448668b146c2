import type { Job, Named } from './event.ts';

/** The event has one output of its job. Without this facet each such JobEvent would replace the ones before. */
export const jobPartKey = 'tributary_part';

export const jobPartFacet = ({ namespace, name }: Named, producer: string) => ({
  _producer: producer,
  _schemaURL: 'urn:tributary:facets:PartJobFacet:1-0-0',
  output: { namespace, name },
});

/** The only output that a job's event reports; null if it reports the whole job. */
function jobPartOf(job: Job): Named | null {
  const facet = job.facets?.[jobPartKey];
  const output = typeof facet === 'object' && facet !== null && 'output' in facet ? facet.output : null;
  if (typeof output !== 'object' || output === null || !('namespace' in output) || !('name' in output)) return null;
  const { namespace, name } = output;
  return typeof namespace === 'string' && typeof name === 'string' ? { namespace, name } : null;
}

/** The scope of declarations about a job, or about one part of it. Its runs have their own scope. */
export function jobScopeKey(job: Job): string {
  const part = jobPartOf(job);
  return part ? `job-part:${spelled(job)}/${spelled(part)}` : `job:${spelled(job)}`;
}
export const datasetScopeKey = (dataset: Named): string => `dataset:${spelled(dataset)}`;
export const observedScopeKey = (job: Named): string => `runs:${spelled(job)}`;

/** Whether a scope key is of a job: of its design, of a part of it, or of its runs, in any feed. */
export const scopesOfJob = (job: Named): ((scopeKey: string) => boolean) => {
  const name = spelled(job);
  return (scopeKey) => {
    const [owner = '', feed = '', ...rest] = scopeKey.split(':');
    const key = owner === 'provider' && feed !== '' ? rest.join(':') : '';
    return key === `runs:${name}` || key === `job:${name}` || key.startsWith(`job-part:${name}/`);
  };
};

const spelled = ({ namespace, name }: Named) => `${escaped(namespace)}/${escaped(name)}`;
/** Legible, and still no two names are spelled alike. */
const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('/', '%2F');
