import { expect, it } from 'vitest';
import { principalOf } from '../../../../shared/domain/lineage/sources/openlineage/name-rules.ts';
import { facet } from './events.ts';

const owned = { ownership: facet({ owners: [{ name: 'team:data' }] }) };

function principal(runFacets: object, jobFacets: object = owned) {
  return principalOf({
    eventTime: '2026-01-01T00:00:00Z',
    producer: 'https://example.com/jobs',
    schemaURL: '',
    run: { runId: '', facets: { ...runFacets } },
    job: { namespace: 'n', name: 'j', facets: { ...jobFacets } },
  });
}

it.each([
  [{ spark_applicationDetails: { userName: 'ana' } }, 'ana'],
  [
    {
      spark_applicationDetails: { userName: 'root' },
      'environment-properties': { 'environment-properties': { user: 'ana@acme.test' } },
    },
    'ana@acme.test',
  ],
  [{ 'environment-properties': { 'environment-properties': {} }, hive_session: { username: 'hive' } }, 'hive'],
  [{ trino_query_context: { user: 'ben', query_type: 'INSERT' } }, 'ben'],
  [{ airflow: { task: { owner: 'etl' }, dag: { owner: 'dag' } } }, 'etl'],
  [{ airflow: { dag: { owner: 'dag' } } }, 'dag'],
  [{ hive_session: { username: '' } }, 'team:data'],
])('the principal of a run with %j is %s', (facets, expected) => {
  expect(principal(facets)).toBe(expected);
});

it('has no principal if nothing names one', () => {
  expect(principal({}, {})).toBeNull();
});
