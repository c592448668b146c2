import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { mergedRuns } from '../../shared/domain/base/concurrency.ts';
import { graphOf, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import type { GraphWriters } from '../../shared/domain/lineage/projection/ports.ts';
import { projectOpenLineage } from '../../shared/domain/lineage/projection/project-openlineage.ts';
import { mergedRunWork } from '../../shared/domain/lineage/projection/run-work.ts';
import { expand } from '../../shared/domain/lineage/traversal/expansion.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { replayContext } from '../../shared/domain/operations/rebuild/replay.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { anyDelivery } from '../support/new-deliveries.ts';
import { provideStores } from '../support/provide-stores.ts';
import { queryOf } from '../support/query-of.ts';
import { runEvent } from '../support/run-event.ts';

const stores = provideStores();
const urn = (name: string) => urnOf({ kind: 'dataset', namespace: 'n', name });

it('works each delivery separately if they cannot be projected together: only the faulty one is quarantined', async () => {
  const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
  const ports = graphPorts(stores.client);
  const graph = graphOf(workspace, 0);
  const added: number[] = [];
  const { promise: bothAreHere, resolve } = Promise.withResolvers<void>();
  const merged = mergedRuns(mergedRunWork, { begin: (work: () => Promise<void>) => bothAreHere.then(work) });
  let waiting = 0;
  const working: GraphWriters = {
    ...ports,
    runs: {
      ...ports.runs,
      add: async (place, job, run) => {
        added.push(run.records.size);
        if (JSON.stringify([...run.records.values()]).includes('faulty')) throw new RangeError('a program error');
        return ports.runs.add(place, job, run as never);
      },
    } as GraphWriters['runs'],
    sqlParser: async () => () => ({ ok: false, reason: 'no_parser' }),
    runsTogether: (key, work, observe) => {
      if (++waiting === 2) resolve();
      return merged(key, work, observe);
    },
  };
  const event = runEvent('n', ['source'], ['target'], { job: 'load' });
  const faulty = { ...event, inputs: [{ namespace: 'n', name: 'faulty' }] };
  const project = (body: object) =>
    projectOpenLineage(
      working,
      replayContext(graph, []),
      anyDelivery(workspace, 'openlineage_event'),
      Buffer.from(JSON.stringify(body)),
    );
  const [good, bad] = await Promise.all([project(event), project(faulty)]);
  // Together first, then each separately.
  expect(added).toEqual([2, 1, 1]);
  expect(good.quarantined).toEqual([]);
  expect(bad.quarantined).toMatchObject([{ index: 0, code: 'projection_failed' }]);
  const edges = await (
    await expand(graphView(queryOf(ports, graph), null), { side: 'in', nodes: [urn('target')] })
  ).next(9);
  expect(edges?.map(({ other }) => other)).toEqual([urn('source')]);
});
