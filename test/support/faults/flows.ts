import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { deleteObject, getObject, keysIn, putObject } from '../../../shared/adapters/s3/bucket.ts';
import { agentCheckRoutes } from '../../../shared/contract/agent-checks.ts';
import { collectionRoutes } from '../../../shared/contract/collection.ts';
import { deliveryRoutes } from '../../../shared/contract/deliveries.ts';
import { policyRoutes } from '../../../shared/contract/policy.ts';
import { UploadTicket, uploadRoutes } from '../../../shared/contract/uploads.ts';
import { askForRewrite } from '../../../shared/domain/lineage/generations/ask-rewrite.ts';
import { historyDays } from '../../../shared/domain/lineage/graph/order.ts';
import { safeDefaults } from '../../../shared/domain/lineage/policy/policy.ts';
import { updateConnector } from '../../../shared/domain/workspaces/access/connectors.ts';
import { gathered } from '../gathered.ts';
import type { Flow } from './flow.ts';
import { flowsToOthers } from './flows-to-others.ts';
import {
  accepted,
  at,
  catalog,
  collect,
  declare,
  declareHeld,
  emit,
  event,
  largeSnapshot,
  runId,
  snapshot,
  told,
  unreadSnapshot,
} from './requests.ts';

const Accepted = v.object({ delivery_id: v.string() });

/** Whole flows through the service, by name. */
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
  'runs of a job that is known': async (run, place) => {
    for (const n of [1, 2]) {
      await emit(run, place, told(place, ['orders', 'revenue'], { n, columns: { total: 'amount' } }));
      await run.settle();
    }
  },
  'payloads that are archived': async (run, place) => {
    for (const n of [1, 2]) {
      await emit(run, place, told(place, ['orders', 'revenue'], { n }));
      await run.settle();
      await run.sweep('payloads', 1);
    }
    // Sending the same again is a duplicate of an archived delivery.
    await emit(run, place, told(place, ['orders', 'revenue'], { n: 1 }));
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
  'uploaded document': async (run, { workspace, connector, token }) => {
    const document = {
      workspace_id: workspace,
      connector_id: connector,
      ...largeSnapshot('first', 'orders', 'revenue'),
    };
    const bytes = Buffer.from(JSON.stringify(document));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const announced = {
      workspace_id: workspace,
      kind: 'dbt_manifest',
      content_length: bytes.byteLength,
      sha256,
    };
    const pending = run.ask('uploads', { route: uploadRoutes.createUpload, token, body: announced });
    const { upload_id, url, headers } = v.parse(UploadTicket, await accepted(pending));
    await fetch(url, { method: 'PUT', headers, body: bytes });
    const completion = { params: { upload_id }, body: { workspace_id: workspace } };
    await accepted(run.ask('uploads', { route: uploadRoutes.completeUpload, token, ...completion }));
  },
  'delivery that failed and is tried again': async (run, place) => {
    await emit(run, place, told(place, ['orders', 'revenue'], { n: 1 }));
    const held = await run.operate(async ({ raw }) => {
      const keys = await gathered(keysIn(raw, { Prefix: '' }));
      return Promise.all(keys.map(async (key) => [key, await getObject(raw, key)] as const));
    });
    await run.operate(async ({ raw }) => Promise.all(held.map(([key]) => deleteObject(raw, key))));
    await run.end();
    const type = 'application/json';
    await run.operate(async ({ raw }) =>
      Promise.all(held.map(([key, bytes]) => bytes && putObject(raw, key, bytes, { type }))),
    );
    const { workspace, token } = place;
    const query = { workspace_id: workspace };
    const listed = await accepted(run.ask('queries', { route: deliveryRoutes.listDeliveries, token, query }));
    const { items } = v.parse(v.object({ items: v.array(Accepted) }), listed);
    for (const params of items)
      await accepted(run.ask('queries', { route: deliveryRoutes.retryDelivery, token, params, query }), 409);
  },
  'check of the graph': async (run, place) => {
    const { workspace, token } = place;
    const expectation = 'no path from crm.core.orders to crm.core.report';
    const body = { workspace_id: workspace, name: 'apart', expectation };
    await accepted(run.ask('agent', { route: agentCheckRoutes.createCheck, token, body }));
    await emit(run, place, told(place, ['orders', 'revenue'], { n: 1 }));
    await run.settle();
    await emit(run, place, told(place, ['revenue', 'report'], { n: 2 }));
  },
  'history that becomes garbage': async (run, place) => {
    await declare(run, place, 'postDbtManifest', largeSnapshot('first', 'orders', 'revenue', 'report'));
    await run.end();
    await declare(run, place, 'postDbtManifest', largeSnapshot('second', 'orders'));
    await run.end();
    await run.sweep('garbage', 1);
    await declare(run, place, 'postDbtManifest', largeSnapshot('third', 'orders', 'revenue'));
    await run.end();
    await run.sweep('garbage', historyDays + 1);
  },
  'graph that is made again': async (run, place) => {
    await emit(run, place, told(place, ['customers', 'orders'], { n: 1, columns: { total: 'amount' } }));
    await declare(run, place, 'postDbtManifest', snapshot('first', 'orders', 'revenue', 'report'));
    await declare(run, place, 'postDbtManifest', snapshot('second', 'orders', 'revenue'));
    await run.end();
    await run.operate((ports) => ports.rebuild(place.workspace));
  },
  'change of policy': async (run, place) => {
    const { workspace, connector, token } = place;
    await emit(run, place, told(place, ['orders', 'revenue'], { n: 1 }));
    await run.settle();
    const filters = { ...safeDefaults, provider_rules: [{ provider_type: 'openlineage', action: 'exclude' }] };
    const put = { workspace_id: workspace, filters, expected_revision: 0 };
    // If the answer to the first request was lost, the next finds its revision.
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
    // Only what took effect is guarded: if the first was not sent, the sweep sends it.
    await run.end();
    const delivery_id = await declareHeld(run, guardedPlace, unreadSnapshot('second', 'orders', 'revenue'));
    const query = { workspace_id: workspace };
    await accepted(
      run.ask('queries', { route: deliveryRoutes.releaseDelivery, token, params: { delivery_id }, query }),
      409,
    );
  },
  'names that a connector starts to own': async (run, place) => {
    const { workspace, connector, namespace } = place;
    const moving = { ...place, namespace: 'postgres://moving.test:5432' };
    await emit(run, moving, told(moving, ['orders', 'revenue'], { n: 1, columns: { total: 'amount' } }));
    await run.settle();
    const namespaces = [namespace, moving.namespace];
    await run.operate((ports) => updateConnector(ports, workspace, connector, { namespaces }));
    await run.operate((ports) => askForRewrite(ports, workspace));
    await emit(run, moving, told(moving, ['revenue', 'report'], { n: 2 }));
  },
  ...flowsToOthers,
};
