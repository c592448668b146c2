import { limits } from '../../../contract/limits.ts';
import { connectorKinds } from '../../../contract/vocabulary.ts';
import { textAt } from './custom-facet.ts';
import type { JobEvent, RunEvent } from './event.ts';

/** Integrations that are engines themselves; others, such as Airflow and dbt, have a database do the work. */
const engines: ReadonlySet<string> = new Set([
  ...connectorKinds.filter((kind) => kind !== 'other'),
  'beam',
  'dremio',
  'flink',
  'hive',
  'presto',
]);

/** The part of a producer's URI that names its integration: `…/integration/spark`, `…/plugin/trino-openlineage`. */
const integrationInProducer = /\/(?:integration|plugin)\/([a-z]+)/i;

/** The engine that did the work, in lower case (C-POLICY-12): as the run says, else as the integration; null where neither does. */
export function engineOf(event: JobEvent | RunEvent): string | null {
  const stated = 'run' in event ? textAt(event.run.facets, ['processing_engine', 'name'])?.trim().toLowerCase() : null;
  // No rule could name a longer one.
  if (stated && stated.length <= limits.policy.engine) return stated;
  const integrations = [event.job.facets?.jobType?.integration, integrationInProducer.exec(event.producer)?.[1]];
  return (
    integrations.map((name) => name?.toLowerCase()).find((name) => name !== undefined && engines.has(name)) ?? null
  );
}
