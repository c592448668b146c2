import type { SeenSchema } from '../../graph/claim-writer.ts';
import type { Derivation } from '../../graph/derivation.ts';
import { contentDigest } from '../../graph/node.ts';
import { eventOrder, microsOfEventTime, type Order } from '../../graph/order.ts';
import type { RunLineage } from '../../graph/runs.ts';
import { datasetLineageStatementOf, lineageStatementOf, type Resolve } from './contribution.ts';
import { derivationsOf } from './derive.ts';
import type { DatasetEvent, Job, JobEvent, Named } from './event.ts';
import type { StatedSchemas } from './facets.ts';
import { mergeStatements } from './merge-statements.ts';
import { jobPartOf } from './run.ts';

/** What a design-time event declares. */
export type StaticLineage = Pick<RunLineage, 'aliases' | 'renames' | 'drops'> &
  Pick<StatedSchemas, 'contents'> & {
    readonly seen: readonly SeenSchema[];
    /** Whose declared lineage this is. */
    readonly scopeKey: string;
    readonly order: Order;
    /** The complete new declaration of its scope; null if the event has no lineage. */
    readonly derivations: readonly Derivation[] | null;
  };

/** The scope of declarations about a job, or about one part of it. Its runs have their own scope. */
function jobScopeKey(job: Job): string {
  const part = jobPartOf(job);
  return part ? `job-part:${spelled(job)}/${spelled(part)}` : `job:${spelled(job)}`;
}
const datasetScopeKey = (dataset: Named): string => `dataset:${spelled(dataset)}`;
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

/**
 * A JobEvent replaces what its job was declared to do: OpenLineage's explicit lineage, "replace semantics". One that
 * names no inputs, outputs or lineage is about other facets, and a facet holds until its like replaces it.
 */
export function jobEventOf(event: JobEvent, resolve: Resolve, location: string): StaticLineage {
  const declares = event.inputs !== undefined || event.outputs !== undefined || event.job.facets?.lineage !== undefined;
  const stated = lineageStatementOf(event, resolve);
  return {
    ...staticMeaning({ scopeKey: jobScopeKey(event.job), eventTime: event.eventTime, declares, location }, stated),
    // What a job is designed to drop or rename is not dropped or renamed thereby.
    drops: [],
    renames: [],
  };
}

/** A DatasetEvent replaces what was declared to feed its dataset, if it has a facet that says so, or says it is gone. */
export function datasetEventOf(event: DatasetEvent, resolve: Resolve, location: string): StaticLineage {
  const { columnLineage, lineage } = event.dataset.facets ?? {};
  const declares = columnLineage !== undefined || lineage !== undefined;
  const stated = datasetLineageStatementOf(event.dataset, resolve);
  const scopeKey = datasetScopeKey(event.dataset);
  return staticMeaning({ scopeKey, eventTime: event.eventTime, declares, location }, stated);
}

type StaticEvent = {
  readonly scopeKey: string;
  readonly eventTime: string;
  /** Whether the event says anything of lineage. */
  readonly declares: boolean;
  readonly location: string;
};

function staticMeaning(
  { scopeKey, eventTime, declares, location }: StaticEvent,
  { statement: { described = [], ...statement }, contents }: ReturnType<typeof lineageStatementOf>,
): StaticLineage {
  const at = microsOfEventTime(eventTime);
  const merged = mergeStatements([statement]);
  return {
    scopeKey,
    order: eventOrder(at, contentDigest(JSON.stringify(statement))),
    derivations: declares ? derivationsOf(merged, location) : null,
    contents,
    seen: described.map((one) => ({ ...one, at })),
    aliases: statement.aliases,
    drops: [...merged.dropped].map((node) => ({ node, at })),
    renames: [...merged.previous].flatMap(([to, from]) => (from === to ? [] : [{ from, to, at }])),
  };
}
