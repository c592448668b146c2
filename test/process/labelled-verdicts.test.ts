import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { exportLines } from '../../shared/domain/lineage/queries/export/export-page.ts';
import { openGraphWithPast } from '../../shared/domain/lineage/traversal/open-graph.ts';
import { linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { ledger, ledgerLabels, ledgerRuns } from '../support/ledger.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { excludeProvider } from '../support/put-policy.ts';

const world = provideForAll(startLineageWorld);
type Place = LineagePlace & { readonly project: object };

/** A workspace of the project for DuckDB, or of its models that Airflow works on PostgreSQL. */
async function newPlace(recording: keyof typeof ledgerLabels): Promise<Place> {
  const [kind, namespace, project] =
    recording === 'airflow'
      ? (['postgres', ledger.airflowNamespace, tasksProject] as const)
      : (['duckdb', ledger.namespace, ledger.manifest] as const);
  const place = await world.place({ kind, namespaces: [namespace] });
  await linkProject(world.operator, place.workspace, 'ledger');
  return { ...place, project };
}

const modelOfTask = (name: string, inputs: readonly string[]) => ({
  ...{ resource_type: 'model', database: 'ledger', schema: 'public', name, alias: name },
  ...{ relation_name: `"ledger"."public"."${name}"`, config: { materialized: 'table' }, columns: {} },
  compiled_code: `select 1 as one from ${inputs.map((input) => `ledger.public.${input}`).join(', ')}`,
  depends_on: { nodes: inputs.map((input) => `model.ledger.${input}`) },
});
const models = {
  ...{ lines: [], accounts: [], rates: [], postings: ['lines', 'accounts'], balances: ['postings', 'rates'] },
  ...{ budget: ['accounts'], ageing: ['accounts'] },
};
/** A project that declares what Airflow's tasks make, and that Airflow does not run with dbt. */
const tasksProject = {
  metadata: { project_name: 'ledger', adapter_type: 'postgres' },
  nodes: Object.fromEntries(
    Object.entries(models).map(([name, inputs]) => [`model.ledger.${name}`, modelOfTask(name, inputs)]),
  ),
  sources: {},
};

const declare = async (place: Place, change: object = {}) => {
  const { status, json } = await place.declare('/v1/lineage/dbt/manifest', {
    ...{ manifest: place.project, project_id: 'ledger', completeness: 'complete' },
    ...{ source_event_key: randomUUID(), ...change },
  });
  expect(status, JSON.stringify(json)).toBe(202);
};

const short = (ref: string) => ref.replace(/^ledger\.(main\.|main_|public\.)?/, '');
const labelsOf = (text: string) =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [edge = '', label] = line.trim().split(/ {2,}/);
      return label === undefined ? [] : [[edge, label]];
    }),
  );

async function relationsOf(place: Place): Promise<string[]> {
  const { json } = await place.ask('/v1/lineage/relations', { limit: '100' });
  return json.items.map(({ relation_ref }: { readonly relation_ref: string }) => relation_ref);
}

/** The verdicts of all edges to relations, by default to all of the workspace. */
async function judged(place: Place, query: Record<string, string> = {}, relations: readonly string[] | null = null) {
  const found: Record<string, string> = {};
  for (const relation_ref of relations ?? (await relationsOf(place))) {
    const question = { relation_ref, direction: 'upstream', max_depth: '1', ...query };
    const answer: ImpactAnswer = (await place.ask('/v1/lineage/impact', question)).json;
    for (const { upstream, downstream, verdict, verdict_reason } of answer.edges)
      if (verdict)
        found[`${short(upstream)} -> ${short(downstream)}`] = [verdict, verdict_reason ?? []].flat().join(' ');
  }
  return found;
}

/** The verdicts of the exported events. */
async function exported({ workspace }: Place) {
  const found: Record<string, string> = {};
  const graph = await openGraphWithPast(queriesPorts(), workspace, new Date());
  const request = { workspace, connectorId: null, profile: 'job', asOf: graph.context.now } as const;
  for await (const lines of exportLines(graph, request))
    for (const line of lines.trimEnd().split('\n')) {
      const { inputs, outputs } = JSON.parse(line);
      for (const { name, inputFacets } of inputs) {
        // A step through an ephemeral model has no verdict.
        const { verdict, reason } = inputFacets?.tributary_verdict ?? {};
        if (verdict) found[`${short(name)} -> ${short(outputs[0].name)}`] = [verdict, reason ?? []].flat().join(' ');
      }
    }
  return found;
}

const reasonsIn = (verdicts: Readonly<Record<string, string>>) =>
  new Set(Object.values(verdicts).flatMap((one) => one.split('declared_only ')[1] ?? []));

const momentOf = async (place: Place): Promise<string> => {
  const query = { relation_ref: 'ledger.main.lines', direction: 'upstream' };
  return (await place.ask('/v1/lineage/impact', query)).json.as_of;
};

describe('the verdicts of a project', () => {
  it.each(['dbt-ol-build', 'dbt-ol-structured', 'dbt-ol-selected', 'airflow'] as const)(
    'are those that a person gives its edges, by the events of %s (C-VERDICT-1, C-VERDICT-2, C-VERDICT-3, C-EXPORT-7)',
    async (recording) => {
      const place = await newPlace(recording);
      await declare(place);
      await place.emit(ledgerRuns(recording));
      const labels = labelsOf(ledgerLabels[recording]);
      expect(await judged(place)).toEqual(labels);
      expect(await exported(place)).toEqual(labels);
    },
  );

  it('never says that no run had an edge if all runs are older than the declaration, or the policy leaves them out (C-VERDICT-3)', async () => {
    const place = await newPlace('dbt-ol-build');
    const before = ledgerRuns('dbt-ol-build');
    await place.emit(before);
    await declare(place);
    expect(reasonsIn(await judged(place))).toEqual(new Set(['not_covered']));
    const other = await newPlace('dbt-ol-structured');
    await declare(other);
    await other.emit(ledgerRuns('dbt-ol-structured'));
    await excludeProvider(other, 'openlineage');
    expect(reasonsIn(await judged(other))).toEqual(new Set(['not_covered']));
  });

  it('do not depend on the order of the sources, and a moment keeps its verdicts after later deliveries (C-VERDICT-1)', async () => {
    const past = (recording: keyof typeof ledgerLabels) =>
      ledgerRuns(recording).map((event) => ({ ...event, eventTime: '2026-11-20T00:00:00Z' }));
    const steps: Record<string, (place: Place) => Promise<unknown>> = {
      manifest: (place) => declare(place),
      build: (place) => place.emit(past('dbt-ol-build')),
      structured: (place) => place.emit(past('dbt-ol-structured')),
      selected: (place) => place.emit(past('dbt-ol-selected')),
    };
    const names = Object.keys(steps);
    const found = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(names, { minLength: names.length }), async (order) => {
        const place = await newPlace('dbt-ol-build');
        for (const name of order) await steps[name]?.(place);
        found.add(JSON.stringify(Object.entries(await judged(place)).sort()));
        await place.emit(ledgerRuns('dbt-ol-build'));
        const moment = await momentOf(place);
        const relations = await relationsOf(place);
        const then = await judged(place);
        expect(reasonsIn(then)).toEqual(new Set(['not_covered', 'never_observed']));
        await place.emit(ledgerRuns('dbt-ol-structured'));
        await declare(place, { manifest: { ...place.project, nodes: {} } });
        await place.emit(ledgerRuns('dbt-ol-selected'));
        expect(await judged(place, { as_of: moment }, relations)).toEqual(then);
      }),
      { numRuns: 2 },
    );
    expect(found.size).toBe(1);
  });
});
