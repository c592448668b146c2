import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { loadSqlParser } from '../../../../shared/adapters/sql-parser.ts';
import { DiffProject } from '../../../../shared/contract/diff.ts';
import type { ConnectorId, WorkspaceId } from '../../../../shared/contract/ids.ts';
import { graphOf, scopeId } from '../../../../shared/domain/lineage/graph/node.ts';
import { type Connector, connectorDefaults } from '../../../../shared/domain/lineage/names/connector.ts';
import { diffProject } from '../../../../shared/domain/lineage/queries/diff/diff-branch.ts';
import { memoryGraph } from '../../../support/memory-graph.ts';
import { queryOf } from '../../../support/query-of.ts';
import { declare, scopeOf } from '../../sources/declare.ts';

const connector: Connector = {
  ...connectorDefaults,
  id: 'c1' as ConnectorId,
  workspace_id: 'w' as WorkspaceId,
  kind: 'postgres',
  name: 'c1',
  namespaces: [],
  datahub_platform_instances: [],
  shrink_guard: { ...connectorDefaults.shrink_guard },
};
const now = '2026-11-20T12:00:00.000Z';

/** `select <outputs> from <input> where <filter>`: an output is a column of the input, or a constant (null). */
type Model = { input: string; outputs: Record<string, string | null>; filter: string | null };
type Project = Record<string, Model>;

const columns = ['x', 'y', 'z'];
const names = ['m0', 'm1', 'm2', 'm3', 'm4'];
const ref = (name: string) => (name === 'src' ? 'd.raw.src' : `d.core.${name}`);

/** Models that each read the source or a model before them, by columns that it has in one of the projects. */
const projects: fc.Arbitrary<{ before: Project; after: Project }> = fc
  .array(
    fc.record({
      reads: fc.tuple(fc.nat(4), fc.nat(4)),
      before: body(),
      after: body(),
      change: fc.constantFrom('none', 'none', 'body', 'input', 'both'),
    }),
    { minLength: 2, maxLength: names.length },
  )
  .map((plans) => {
    const [before, after]: [Project, Project] = [{}, {}];
    const inputOf = (i: number, choice: number) => ['src', ...names.slice(0, i)][choice % (i + 1)] ?? 'src';
    for (const [i, plan] of plans.entries()) {
      const input = inputOf(i, plan.reads[0]);
      before[names[i] ?? ''] = modelOf(input, plan.before, outputsOf(before[input]));
    }
    for (const [i, plan] of plans.entries()) {
      const changesInput = plan.change === 'input' || plan.change === 'both';
      const input = inputOf(i, plan.reads[changesInput ? 1 : 0]);
      const body = plan.change === 'body' || plan.change === 'both' ? plan.after : plan.before;
      // A column without sources that nothing read is not known to have been there.
      const removed = outputsOf(before[input]).filter((column) => isSeen(before, input, column));
      after[names[i] ?? ''] = modelOf(input, body, [...outputsOf(after[input]), ...removed]);
    }
    return { before, after };
  });

type Body = { outputs: (string | null | undefined)[]; filter: string | null };
function body(): fc.Arbitrary<Body> {
  const column = fc.constantFrom(...columns);
  return fc.record({
    outputs: fc.tuple(...columns.map(() => fc.oneof(column, column, fc.constant(null), fc.constant(undefined)))),
    filter: fc.option(column),
  });
}

/** The source has every column. */
const outputsOf = (model: Model | undefined) => (model ? Object.keys(model.outputs) : columns);

/** What names a column that the input never had becomes a constant, and a model has one column at least. */
function modelOf(input: string, { outputs, filter }: Body, known: readonly string[]): Model {
  const created = columns.flatMap((name, i): [string, string | null][] => {
    const from = outputs[i];
    return from === undefined ? [] : [[name, from !== null && known.includes(from) ? from : null]];
  });
  return {
    input,
    outputs: Object.fromEntries(created.length > 0 ? created : [['x', null]]),
    filter: filter !== null && known.includes(filter) ? filter : null,
  };
}

const uniqueId = (name: string) => (name === 'src' ? 'source.p.raw.src' : `model.p.${name}`);
const node = (name: string, schema: string) => ({ name, alias: name, identifier: name, database: 'd', schema });

function manifestOf(project: Project) {
  const nodes = Object.entries(project).map(([name, { input, outputs, filter }]) => {
    const select = Object.entries(outputs).map(([column, from]) => `${from === null ? '1' : `i.${from}`} as ${column}`);
    const [, schema, table] = ref(input).split('.');
    const where = filter === null ? '' : ` where i.${filter} > 0`;
    const compiled_code = `select ${select.join(', ')} from "d"."${schema}"."${table}" i${where}`;
    const depends_on = { nodes: [uniqueId(input)] };
    return [
      uniqueId(name),
      { ...node(name, 'core'), resource_type: 'model', language: 'sql', depends_on, compiled_code },
    ];
  });
  const sources = { [uniqueId('src')]: { ...node('src', 'raw'), resource_type: 'source' } };
  return { metadata: { project_name: 'p', adapter_type: 'postgres' }, nodes: Object.fromEntries(nodes), sources };
}

async function load(project: Project) {
  const scopeKey = `connector:${connector.id}:dbt-project:p`;
  const document = { kind: 'dbt_manifest', manifest: manifestOf(project) } as const;
  const { derivations } = await declare(scopeOf(connector), document);
  const identity = {
    scope: scopeId(scopeKey),
    scopeKey,
    kind: 'snapshot',
    providerType: 'dbt_manifest',
    providerInstanceId: randomUUID(),
  } as const;
  const directory = { add: async () => undefined, named: async () => [], any: async () => true };
  return { ...memoryGraph(identity, now, derivations), directory };
}

/** Whether a column of a model is seen in a graph: it has a source, or something reads it. */
const isSeen = (project: Project, name: string, column: string) =>
  (project[name]?.outputs[column] ?? null) !== null || isRead(project, name, column);
const isRead = (project: Project, name: string, column: string) =>
  Object.values(project).some(
    (one) => one.input === name && (one.filter === column || Object.values(one.outputs).includes(column)),
  );

function expectedColumns({ before, after }: { before: Project; after: Project }) {
  return Object.keys(before).flatMap((name) =>
    columns.flatMap((column) => {
      const [was, is] = [before[name]?.outputs[column], after[name]?.outputs[column]];
      if (was !== undefined && is === undefined) return isSeen(before, name, column) ? [[name, column, 'removed']] : [];
      if (is === undefined) return [];
      const sources = [was ? `${before[name]?.input}.${was}` : null, is ? `${after[name]?.input}.${is}` : null];
      if (sources[0] === sources[1]) return [];
      const wasSeen = was !== undefined && isSeen(before, name, column);
      return [[name, column, wasSeen ? 'changed' : 'added']];
    }),
  );
}

type Victims = readonly (readonly [string, number])[];

/** What reads a column, by the later statements, over the edges that are live: relations with the columns concerned. */
function expectedVictims(
  { before, after }: { before: Project; after: Project },
  root: string,
  column: string,
): Victims {
  const depths = new Map<string, number>();
  const seen = new Map([[root, new Set([column])]]);
  let frontier = new Map(seen);
  for (let depth = 1; frontier.size > 0; depth++) {
    const next = new Map<string, Set<string>>();
    for (const [here, concerned] of frontier) {
      for (const [name, { input, outputs, filter }] of Object.entries(after)) {
        if (input !== here || before[name]?.input !== here) continue;
        const all = filter !== null && concerned.has(filter);
        const reached = Object.entries(outputs).filter(([, from]) => from !== null && (all || concerned.has(from)));
        if (!all && reached.length === 0) continue;
        if (!depths.has(name)) depths.set(name, depth);
        const known = seen.get(name) ?? new Set();
        const fresh = [...reached.map(([one]) => one), ...(all ? columns : [])].filter((one) => !known.has(one));
        seen.set(name, new Set([...known, ...fresh]));
        if (fresh.length > 0) next.set(name, new Set([...(next.get(name) ?? []), ...fresh]));
      }
    }
    frontier = next;
  }
  return [...depths].map(([name, depth]) => [ref(name), depth] as const).sort();
}

/** What lies behind the readers of a column that is gone: they fail as a whole, so that it reads what is not made again. */
function expectedBehind({ before, after }: { before: Project; after: Project }, root: string, victims: Victims) {
  const readersOf = (name: string) =>
    Object.keys(after).filter((one) => after[one]?.input === name && before[one]?.input === name);
  const failing = readersOf(root).filter((name) => victims.some(([victim]) => victim === ref(name)));
  const behind = new Set(failing.flatMap(readersOf));
  // A set that grows while it is walked is walked to its end.
  for (const name of behind) for (const reader of readersOf(name)) behind.add(reader);
  return [...behind]
    .map(ref)
    .filter((name) => !victims.some(([victim]) => victim === name))
    .sort();
}

it('finds the changes of a branch and what they break as a plain reading of the statements does (C-DIFF-3)', async () => {
  const sqlParser = loadSqlParser;
  await fc.assert(
    fc.asyncProperty(projects, async (pair) => {
      const workspace = 'w' as WorkspaceId;
      const ports = await load(pair.before);
      const reader = {
        ...ports,
        sqlParser,
        sources: async () => ({ records: [], isWhole: true, until: now, waits: false }),
        deliveries: { get: async () => null },
        payloads: {
          stream: async () => {
            throw new Error('no delivery is kept');
          },
        },
      };
      const query = queryOf(reader, graphOf(workspace, 0), { connectors: new Map([[connector.id, connector]]), now });
      const body = v.parse(DiffProject, {
        workspace_id: workspace,
        connector_id: connector.id,
        project_id: 'p',
        manifest: manifestOf(pair.after),
        max_depth: 10,
      });
      const answer = await diffProject(query, connector, workspace, body);
      expect(answer.columns.map((one) => [one.relation_ref, one.column, one.change]).sort()).toEqual(
        expectedColumns(pair)
          .map(([name = '', ...rest]) => [ref(name), ...rest])
          .sort(),
      );
      const edgesOf = (project: Project) => Object.entries(project).map(([name, { input }]) => `${input} ${name}`);
      const [old, now_] = [edgesOf(pair.before), edgesOf(pair.after)];
      expect(answer.summary.edges).toMatchObject({
        added: now_.filter((edge) => !old.includes(edge)).length,
        removed: old.filter((edge) => !now_.includes(edge)).length,
      });
      for (const { relation_ref, column, change, breaks, grade } of answer.columns) {
        const impacted = change === 'added' ? [] : expectedVictims(pair, relation_ref.slice(7), column);
        const behind = change === 'removed' ? expectedBehind(pair, relation_ref.slice(7), impacted) : [];
        const worst = change === 'removed' ? 'breaking' : 'risky';
        const isProven = ({ relation_ref: found }: (typeof breaks)[number]) =>
          impacted.some(([name]) => name === found);
        const [proven, others] = [breaks.filter(isProven), breaks.filter((one) => !isProven(one))];
        expect(proven.map((one) => [one.relation_ref, one.depth]).sort()).toEqual(impacted);
        expect(others.map((one) => one.relation_ref).sort()).toEqual(behind);
        expect(grade).toBe(impacted.length > 0 ? worst : 'safe');
        expect(new Set(proven.map((one) => one.grade))).toEqual(new Set(impacted.length > 0 ? [worst] : []));
        expect(new Set(others.map((one) => one.grade))).toEqual(new Set(behind.length > 0 ? ['risky'] : []));
      }
    }),
    { numRuns: 150 },
  );
});
