import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, nodeId, scopeId, type Urn, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { isoOfMicros, microsOfIso } from '../../shared/domain/lineage/graph/order.ts';
import { type RelationSchema, schemaId } from '../../shared/domain/lineage/graph/schema.ts';
import type { ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { expireObservations } from '../../shared/domain/operations/sweep/expire-observations.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { queryOf } from '../support/query-of.ts';
import { runs } from '../support/runs.ts';

const stores = provideStores();

const urn = (name: string): Urn => urnOf({ kind: 'dataset', namespace: 'n', name });
const wide = urn('wide');
const day = (of: number) => microsOfIso(new Date(Date.UTC(2026, 0, of)).toISOString());
const scopeNamed = (scopeKey: string): ScopeIdentity => ({
  scope: scopeId(scopeKey),
  scopeKey,
  kind: 'observed',
  providerType: 'openlineage',
  providerInstanceId: 'p',
});
const schemas = ['a', 'b'].map(
  (name): RelationSchema => ({ columns: [{ name, type: null }], stars: [], complete: true }),
);

const verdictRequest = fc.record({
  kind: fc.constant('schema' as const),
  schema: fc.nat(1),
  day: fc.integer({ min: 1, max: 9 }),
});
const reading = fc.record({ kind: fc.constant('neighbours' as const), from: fc.constantFrom(0, 70) });
const steps = fc.array(fc.tuple(fc.oneof(verdictRequest, reading), fc.nat(1)), { minLength: 1, maxLength: 10 });

/** Two processes that each know the node's width as they last saw it. */
async function take(workspace: WorkspaceId, statement: typeof steps extends fc.Arbitrary<infer T> ? T : never) {
  const processes = [graphPorts(stores.client), graphPorts(stores.client)];
  for (const [step, process] of statement) {
    const { claims, schemas: contents } = processes[process] ?? graphPorts(stores.client);
    if (step.kind === 'neighbours') {
      const edges = Array.from({ length: 70 }, (_, i) => ({ from: wide, to: urn(`reader ${step.from + i}`) }));
      await claims.observe(graphOf(workspace, 0), { scope: scopeNamed('job'), at: day(1), edges });
      continue;
    }
    const content = schemas[step.schema];
    if (content === undefined) continue;
    const schema = schemaId(content);
    await contents.put(graphOf(workspace, 0), new Map([[schema, content]]));
    const seen = [{ node: wide, schema, at: day(step.day) }];
    await claims.observe(graphOf(workspace, 0), {
      scope: scopeNamed('job'),
      at: day(step.day),
      edges: [],
      schemas: { scope: scopeNamed('feed'), seen },
    });
  }
}

async function schemasKnown(workspace: WorkspaceId) {
  const view = graphView(queryOf(graphPorts(stores.client), graphOf(workspace, 0)), null);
  await view.nodes.load([nodeId(wide)]);
  await view.nodes.loadSchemas([nodeId(wide)]);
  const claims = view.nodes.schemasOf(nodeId(wide));
  return claims
    .flatMap((one) => (one.kind === 'observed' ? [{ schema: one.other, first: one.first, last: one.last }] : []))
    .sort((a, b) => (a.schema < b.schema ? -1 : 1));
}

it('knows of each schema of a wide relation when it was first and last seen, on any of its pages (G-SCHEMA-6)', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (statement) => {
      const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
      await take(workspace, statement);
      const days = Map.groupBy(
        statement.flatMap(([step]) => (step.kind === 'schema' ? [step] : [])),
        ({ schema }) => schemaId(schemas[schema] ?? { columns: [], stars: [], complete: true }),
      );
      const expected = [...days].map(([schema, seen]) => ({
        schema,
        first: day(Math.min(...seen.map((one) => one.day))),
        last: day(Math.max(...seen.map((one) => one.day))),
      }));
      expect(await schemasKnown(workspace)).toEqual(expected.sort((a, b) => (a.schema < b.schema ? -1 : 1)));
    }),
    { numRuns: runs(8) },
  );
}, 120_000);

it('forgets schemas of a wide relation that were last seen long ago', async () => {
  const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
  const statement = { kind: 'schema', schema: 0, day: 1 } as const;
  await take(workspace, [
    [statement, 0],
    [{ kind: 'neighbours', from: 0 }, 0],
    [{ ...statement, day: 5 }, 0],
  ]);
  expect(await schemasKnown(workspace)).toHaveLength(1);
  const ports = {
    ...graphPorts(stores.client),
    workspaces: async () => [{ id: workspace }],
    namesOf: async () => ({ connectors: [], generation: 0, forgotten: {} }),
  };
  const now = new Date(Date.parse(isoOfMicros(day(5))) + 400 * 86_400_000);
  await expireObservations(ports, { from: null, now, timeIsUp: () => false });
  expect(await schemasKnown(workspace)).toEqual([]);
});
