import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { collectionRoutes } from '../../../shared/contract/routes/collection.ts';
import { deliveryRoutes } from '../../../shared/contract/routes/deliveries.ts';
import { policyRoutes } from '../../../shared/contract/routes/policy.ts';
import { updateConnector } from '../../../shared/domain/access/connectors.ts';
import { askForRewrite } from '../../../shared/domain/naming/ask-rewrite.ts';
import { safeDefaults } from '../../../shared/domain/policy/policy.ts';
import { accepted, at, catalog, collect, declare, emit, event, runId, snapshot, told } from './requests.ts';
import type { FaultRun } from './run.ts';
import type { Place } from './world.ts';

/** What clients and operators do, one after the other. */
export type Flow = (run: FaultRun, place: Place) => Promise<void>;

const Accepted = v.object({ delivery_id: v.string() });

/** Whole ways through the service, by what they are of. */
export const flows: Readonly<Record<string, Flow>> = {
  'native events': async (run, place) => {
    await collect(run, place, event(1, { v: 1 }), event(2));
    await run.settle();
    // One id again with another value, and a new one beside it.
    await collect(run, place, event(1, { v: 2 }), event(3));
  },
  'PostHog events': async (run, { projectKey }) => {
    const sent = (uuid: string) => ({ uuid, event: 'Order Placed', distinct_id: 'u-1', timestamp: at(1) });
    const uuids = [runId(1), runId(2), runId(1)];
    const body = { api_key: projectKey, batch: uuids.map(sent) };
    for (let times = 0; times < 2; times++)
      await accepted(run.ask('collect', { route: collectionRoutes.collectCompatible, path: '/collect/e', body }));
  },
  'OpenLineage runs': async (run, place) => {
    await emit(run, place, told(place, ['orders', 'revenue'], { n: 1, eventType: 'START' }));
    await emit(run, place, told(place, ['orders', 'revenue'], { n: 1, columns: { total: 'amount' } }));
    await emit(run, place, [
      told(place, ['revenue', 'report'], { n: 2 }),
      told(place, ['customers', 'revenue'], { n: 3, columns: { total: 'spent' } }),
    ]);
  },
  'dbt snapshots': async (run, place) => {
    await declare(run, place, 'postDbtManifest', snapshot('first', 'orders', 'revenue', 'report'));
    await declare(run, place, 'postDbtManifest', snapshot('second', 'orders', 'revenue'));
  },
  'DataHub exports': async (run, place) => {
    await declare(run, place, 'postDatahubExport', catalog('first', ['orders', 'revenue'], ['customers', 'revenue']));
    await run.settle();
    await declare(run, place, 'postDatahubExport', catalog('second', ['orders', 'revenue'], ['revenue', 'report']));
  },
  'batch that no message holds': async (run, place) => {
    // Digests do not shrink.
    const noise = (n: number) =>
      Array.from({ length: 600 }, (_, i) => createHash('sha256').update(`${n} ${i}`).digest('base64')).join('');
    await collect(run, place, ...Array.from({ length: 10 }, (_, n) => event(n, { noise: noise(n) })));
  },
  'change of policy': async (run, place) => {
    const { workspace, connector, token } = place;
    await emit(run, place, told(place, ['orders', 'revenue'], { n: 1 }));
    await run.settle();
    const filters = { ...safeDefaults, provider_rules: [{ provider_type: 'openlineage', action: 'exclude' }] };
    const put = { workspace_id: workspace, filters, expected_revision: 0 };
    // Where the answer to the first request was lost, the next finds its revision.
    await accepted(
      run.ask('policy', { route: policyRoutes.putPolicy, token, params: { connector_id: connector }, body: put }),
      409,
    );
    await emit(run, place, told(place, ['revenue', 'report'], { n: 2 }));
  },
  'held snapshot that is released': async (run, place) => {
    const { workspace, guarded, token } = place;
    const guardedPlace = { ...place, connector: guarded };
    await declare(run, guardedPlace, 'postDbtManifest', snapshot('first', 'orders', 'revenue', 'report'));
    await run.settle();
    const shrunk = await declare(run, guardedPlace, 'postDbtManifest', snapshot('second', 'orders'));
    await run.end();
    const { delivery_id } = v.parse(Accepted, shrunk);
    const query = { workspace_id: workspace };
    await accepted(
      run.ask('queries', { route: deliveryRoutes.releaseDelivery, token, params: { delivery_id }, query }),
      409,
    );
  },
  'names that a connector comes to own': async (run, place) => {
    const { workspace, connector, namespace } = place;
    const moving = { ...place, namespace: 'postgres://moving.test:5432' };
    await emit(run, moving, told(moving, ['orders', 'revenue'], { n: 1, columns: { total: 'amount' } }));
    await run.settle();
    const namespaces = [namespace, moving.namespace];
    await run.operate((ports) => updateConnector(ports, workspace, connector, { namespaces }));
    await run.operate((ports) => askForRewrite(ports, workspace));
    await emit(run, moving, told(moving, ['revenue', 'report'], { n: 2 }));
  },
};
