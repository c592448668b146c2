import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../../shared/domain/lineage/sources/openlineage/event.ts';
import { relationsOfJob, statementOfJob } from '../../../../shared/domain/lineage/sources/openlineage/model-jobs.ts';
import { dbtStatement, sqlmeshStatement } from '../../../../shared/domain/lineage/sources/producing-statement.ts';
import { shop } from '../../../support/dbt-ol-shop.ts';

const named = (job: object, more: object = {}) =>
  ({
    producer: 'https://p.test',
    inputs: [],
    outputs: [{ namespace: 'n', name: 'db.mart.orders' }],
    job,
    ...more,
  }) as unknown as RunEvent;
const jobType = (jobType: string, integration = 'DBT') => ({
  jobType: { integration, jobType, processingType: 'BATCH' },
});
const dbtJob = (name: string) => named({ namespace: 'n', name, facets: jobType('MODEL') });
const inProject = { run: { runId: '1', facets: { dbt_run: { project_name: 'shop' } } } };

describe('the statement of a job (C-EVIDENCE-7)', () => {
  it('is that of the manifest for every model that dbt-ol recorded, with any version and command', () => {
    const nodes = new Map(Object.entries(shop.manifest.nodes));
    const byRelation = new Map([...nodes].map(([id, { name }]) => [`shop.main.${name}`, id]));
    for (const events of [shop.build(), shop.older(), shop.structured()])
      for (const event of events) {
        const statement = statementOfJob(event as unknown as RunEvent);
        const id = byRelation.get(event.outputs[0]?.name ?? '');
        expect(statement?.model, event.job.name).toBe(id === undefined ? undefined : dbtStatement(id, null)?.model);
      }
  });

  it('has the version of the manifest if the event shows the same text', () => {
    const versions = new Map(
      Object.entries(shop.manifest.nodes).map(([id, node]) => {
        const text = 'compiled_code' in node ? node.compiled_code : null;
        return [dbtStatement(id, text)?.model, dbtStatement(id, text)?.version];
      }),
    );
    const statements = shop.build().flatMap((event) => statementOfJob(event as unknown as RunEvent) ?? []);
    expect(statements.length).toBe(17);
    for (const { model, version } of statements) expect(version).toBe(versions.get(model));
  });

  it.each([
    ['db.mart.shop.orders', 'dbt:shop.orders'],
    ['db.mart.shop.orders.build.run', 'dbt:shop.orders'],
    ['db.mart.shop.orders.snapshot', 'dbt:shop.orders'],
    ['db.mart.shop.orders.build.snapshot', 'dbt:shop.orders'],
    ['db.mart.shop.orders.v2', 'dbt:shop.orders.v2'],
    ['db.mart.shop.orders.v2.build.run', 'dbt:shop.orders.v2'],
    ['model.shop.orders', 'dbt:shop.orders'],
    ['snapshot.shop.orders', 'dbt:shop.orders'],
  ])('is read from the name of a dbt job: %s', (name, model) => {
    expect(statementOfJob(dbtJob(name))).toEqual({ model });
  });

  it.each(['daily.transform.orders.run', 'daily.orders_run', 'assets.orders'])(
    'is read from the name of an orchestrator’s task that runs dbt: %s',
    (name) => {
      const job = { namespace: 'airflow', name, facets: jobType('TASK', 'AIRFLOW') };
      expect(statementOfJob(named(job, inProject))).toEqual({ model: 'dbt:shop.orders' });
      expect(statementOfJob(named(job))).toBeNull();
    },
  );

  it('is that of a SQLMesh model if its integration names the job after it', () => {
    const event = named(
      { namespace: 'n', name: '"Db"."mart"."orders"' },
      { producer: 'https://x.test/sqlmesh-openlineage' },
    );
    expect(statementOfJob(event)?.model).toBe(sqlmeshStatement('"db"."mart"."orders"', null)?.model);
  });

  it('is none of a job with several outputs, of a test, and of any other job', () => {
    const outputs = ['a', 'b'].map((name) => ({ namespace: 'n', name }));
    expect(statementOfJob({ ...dbtJob('db.mart.shop.orders'), outputs })).toBeNull();
    expect(statementOfJob(named({ namespace: 'n', name: 'model.shop.orders', facets: jobType('TEST') }))).toBeNull();
    expect(statementOfJob(named({ namespace: 'n', name: 'db.mart.shop.orders' }))).toBeNull();
  });
});

describe('the relations of a job (C-OPENLINEAGE-20)', () => {
  it('leave out ephemeral models whose text the statement shows, by their mark or by their CTE', () => {
    for (const events of [shop.build(), shop.older()])
      for (const event of events) {
        const { inputs } = relationsOfJob(event as unknown as RunEvent);
        expect(inputs.filter(({ name }) => name.includes('eph_'))).toEqual([]);
      }
  });

  it('leave out the outputs of tests', () => {
    const outputs = shop.structured().flatMap((event) => relationsOfJob(event as unknown as RunEvent).outputs);
    expect(outputs.filter(({ name }) => name.includes('dbt_test'))).toEqual([]);
    expect(outputs.length).toBeGreaterThan(10);
  });
});
