import { describe, expect, it } from 'vitest';
import { engineOf } from '../../../../shared/domain/lineage/sources/openlineage/name-rules.ts';

type Stated = { readonly name?: unknown; readonly integration?: string; readonly producer?: string };

const engine = ({ name, integration, producer = 'https://example.com/jobs' }: Stated) =>
  engineOf({
    eventTime: '2026-01-01T00:00:00Z',
    schemaURL: '',
    producer,
    run: { runId: '', ...(name !== undefined && { facets: { processing_engine: { version: '3.5', name } } }) },
    job: { namespace: 'n', name: 'j', ...(integration && { facets: { jobType: { integration } } }) },
  });

const spark = 'https://github.com/OpenLineage/OpenLineage/tree/1.53.0/integration/spark';

describe('the engine of an event', () => {
  it.each([
    [{ name: 'Spark' }, 'spark'],
    [{ name: 'photon', integration: 'SPARK', producer: spark }, 'photon'],
    [{ integration: 'FLINK', producer: spark }, 'flink'],
    [{ producer: spark }, 'spark'],
    [{ producer: 'https://github.com/trinodb/trino/plugin/trino-openlineage' }, 'trino'],
    [{ name: ' ', integration: 'SPARK' }, 'spark'],
    [{ name: 7, producer: spark }, 'spark'],
    [{ name: 'x'.repeat(101), producer: spark }, 'spark'],
    [{ integration: 'AIRFLOW', producer: spark.replace('spark', 'airflow') }, null],
    [{ integration: 'DBT' }, null],
    [{}, null],
  ] as const)('of %j is %s (C-POLICY-12)', (stated, expected) => {
    expect(engine(stated)).toBe(expected);
  });
});
