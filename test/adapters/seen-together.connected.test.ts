import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countUnits } from '../../bench/support/units.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { micros } from '../../shared/domain/lineage/graph/order.ts';
import type { ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

provideStores();
const urn = (name: string) => urnOf({ kind: 'dataset', namespace: 'n', name });
const scopeNamed = (scopeKey: string): ScopeIdentity => ({
  scope: scopeId(scopeKey),
  scopeKey,
  kind: 'observed',
  providerType: 'openlineage',
  providerInstanceId: 'p',
});
const newWorkspace = () => `w${randomUUID().slice(0, 8)}` as WorkspaceId;

const node = fc.constantFrom('a', 'b', 'c');
const seen = fc.record({
  from: node,
  to: node,
  scope: fc.constantFrom('one', 'two'),
  at: fc.integer({ min: 1, max: 9 }),
  process: fc.nat(1),
});

it('spans the first and last time at which each scope saw an edge, however many see it at once in however many processes', async () => {
  const client = new DynamoDBClient({});
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(seen, { maxLength: 6 }), { maxLength: 3 }), async (waves) => {
      const workspace = newWorkspace();
      const processes = [graphPorts(client), graphPorts(client)];
      for (const wave of waves)
        await Promise.all(
          wave.map(({ from, to, scope, at, process }) =>
            processes[process]?.claims.observe(graphOf(workspace, 0), {
              scope: scopeNamed(scope),
              at: micros(BigInt(at)),
              edges: [{ from: urn(from), to: urn(to) }],
            }),
          ),
        );
      const expected = new Map<string, number[]>();
      for (const { from, to, scope, at } of waves.flat())
        expected.set(`${from} ${to} ${scope}`, [...(expected.get(`${from} ${to} ${scope}`) ?? []), at]);
      for (const [name, times] of expected) {
        const [from = '', to = '', scope = ''] = name.split(' ');
        const edge = { from: urn(from), to: urn(to) };
        const found = await graphPorts(client).claims.observed(graphOf(workspace, 0), scopeId(scope), [edge]);
        const [first, last] = [Math.min(...times), Math.max(...times)].map((at) => micros(BigInt(at)));
        expect(found).toEqual([{ edge, span: { first, last } }]);
      }
    }),
    { numRuns: 12 },
  );
});

it('writes a relation a few times, not once per run, if concurrent runs read it', async () => {
  const client = new DynamoDBClient({});
  const { claims } = graphPorts(client);
  const [workspace, units] = [newWorkspace(), countUnits(client)];
  await Promise.all(
    Array.from({ length: 20 }, (_, run) =>
      claims.observe(graphOf(workspace, 0), {
        scope: scopeNamed(`job ${run}`),
        at: micros(BigInt(run)),
        edges: [{ from: urn('hub'), to: urn(`made by ${run}`) }],
      }),
    ),
  );
  // One for each that a run makes.
  expect(units().requests - 20).toBeLessThan(4);
});
