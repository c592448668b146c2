import * as v from 'valibot';
import type { Job, Named } from './event.ts';

/** The event has one output of its job, or one input that it reads for none. Without this facet each such JobEvent would replace the ones before. */
export const jobPartKey = 'tributary_part';

export const jobPartFacet = (part: 'output' | 'input', { namespace, name }: Named, producer: string) => ({
  _producer: producer,
  _schemaURL: 'urn:tributary:facets:PartJobFacet:1-0-0',
  [part]: { namespace, name },
});

const Part = v.object({ namespace: v.string(), name: v.string() });
const PartFacet = v.union([v.object({ output: Part }), v.object({ input: Part })]);

/** The part of a job that an event reports, spelled; null if it reports the whole job. */
function jobPartOf(job: Job): string | null {
  const { success, output } = v.safeParse(PartFacet, job.facets?.[jobPartKey]);
  if (!success) return null;
  return 'output' in output ? spelled(output.output) : `input/${spelled(output.input)}`;
}

/** The scope of declarations about a job, or about one part of it. Its runs have their own scope. */
export function jobScopeKey(job: Job): string {
  const part = jobPartOf(job);
  return part ? `job-part:${spelled(job)}/${part}` : `job:${spelled(job)}`;
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

/** The job of a scope of its runs, its design or a part of it; null of any other scope. */
export function jobOfScope(scopeKey: string): Named | null {
  const [owner, , , ...spelling] = scopeKey.split(':');
  if (owner !== 'provider') return null;
  const [namespace = '', name = ''] = spelling.join(':').split('/').map(unescaped);
  return { namespace, name };
}
const unescaped = (text: string) => text.replaceAll('%2F', '/').replaceAll('%25', '%');

const spelled = ({ namespace, name }: Named) => `${escaped(namespace)}/${escaped(name)}`;
/** Legible, and still no two names are spelled alike. */
const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('/', '%2F');
