import * as v from 'valibot';
import { beforeAll, expect, it } from 'vitest';
import { declared } from '../../functions/ingest/intake.ts';
import { policyImplementations } from '../../functions/policy/policy.ts';
import type { SweepFunctionPorts } from '../../functions/sweep/tasks.ts';
import { sweepTasks } from '../../functions/sweep/tasks.ts';
import type { DeliveryId } from '../../shared/contract/ids.ts';
import { intakeRoutes } from '../../shared/contract/lineage.ts';
import { ProjectionMessage } from '../../shared/contract/messages.ts';
import { policyRoutes } from '../../shared/contract/policy.ts';
import { readWriteLock } from '../../shared/domain/base/concurrency.ts';
import { dbt } from '../../shared/domain/lineage/ingest/tools.ts';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { projectDelivery } from '../../shared/domain/lineage/projection/project-content.ts';
import { recountStep } from '../../shared/domain/operations/recount/recount-step.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { httpPorts, ingestPorts } from '../../shared/runtime/composition/intake.ts';
import { policyPorts } from '../../shared/runtime/composition/queries.ts';
import { projectorPorts, recountPorts, sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { responder } from '../../shared/runtime/http.ts';
import crm from '../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import { request } from '../support/access-world.ts';
import { drainQueue } from '../support/intake-ports.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
let place: LineagePlace;
let sweep: SweepFunctionPorts;
beforeAll(async () => {
  place = await world.place();
  sweep = sweepPorts();
});

const after = (minutes: number) => ({ now: new Date(Date.now() + minutes * 60_000), timeIsUp: () => false });
const messages = async () => (await drainQueue()).map((message) => v.parse(ProjectionMessage, message));

it('starts the recount of a policy whose message was never sent, and keeps asking until it is done (C-POLICY-4)', async () => {
  await place.declare('/v1/lineage/dbt/manifest', { manifest: crm });
  const elsewhere = 'postgres://elsewhere:5432';
  await createConnector(world.operator, place.workspace, { name: 'other', kind: 'postgres', namespaces: [elsewhere] });
  await place.emit(runEvent(elsewhere, ['a.b.c', 'a.b.d'], ['a.b.e']));
  const ports = policyPorts();
  const queue = { send: () => Promise.reject(new Error('down')) };
  const policy = responder(policyRoutes, policyImplementations({ ...ports, queue }), httpPorts());
  const path = '/v1/connectors/{connector_id}/lineage-policy';
  const [token, params] = [place.tokens.admin, { connector_id: place.connector.id }];
  const body = { workspace_id: place.workspace, filters: safeDefaults };
  expect((await policy(request('PUT', path, { token, params, body }))).status).toBe(200);
  const repair = async () => {
    const query = { workspace_id: place.workspace };
    return JSON.parse(String((await policy(request('GET', path, { token, params, query }))).body)).repair;
  };
  expect(await messages()).toEqual([]);
  expect(await repair()).toMatchObject({ repair_started: false, state: 'pending' });
  const tasks = sweepTasks(sweep);
  await tasks.due(after(4));
  expect(await messages()).toEqual([]);
  await Promise.all([tasks.due(after(6)), tasks.due(after(6))]);
  const [requested, ...more] = await messages();
  expect(more).toEqual([]);
  if (!requested || 'delivery_id' in requested || requested.kind !== 'recount_policy')
    throw new Error('no recount was asked for');
  // One relation a step: the message after the first is lost, and the sweep asks for the next step.
  await recountStep({ ...recountPorts(), queue: { send: async () => undefined } }, requested, {
    relations: 1,
    evidence: 1,
  });
  expect(await repair()).toMatchObject({ repair_started: true, state: 'running' });
  await tasks.due(after(20));
  for (const message of await messages())
    if ('kind' in message && message.kind === 'recount_policy') await recountStep(recountPorts(), message);
  const done = await repair();
  expect(done).toMatchObject({ state: 'done', suppressed: 0 });
  // Not what another connector knows.
  expect(done.evidence_checked).toBe(22);
  expect(done.evidence_total).toBe(done.evidence_checked);
  await tasks.due(after(60));
  expect(await messages()).toEqual([]);
});

it('finds a load that died, whatever became of its message, and ends it', async () => {
  const other = await world.place();
  const [intake, worker] = [ingestPorts(), projectorPorts()];
  const { postDbtManifest } = intakeRoutes;
  const take = responder({ postDbtManifest }, { postDbtManifest: declared(intake, dbt) }, httpPorts());
  const body = { workspace_id: other.workspace, connector_id: other.connector.id, manifest: crm };
  const { body: answer } = await take(
    request('POST', '/v1/lineage/dbt/manifest', { token: other.tokens.editor, body }),
  );
  const id = JSON.parse(String(answer)).delivery_id as DeliveryId;
  const [message] = await messages();
  if (!message || !('delivery_id' in message)) throw new Error('nothing was sent');
  // The process dies within the claims: no error or end is written, and the message is gone.
  const { promise: loading, resolve: start } = Promise.withResolvers<void>();
  const claim = () => {
    start();
    return new Promise<never>(() => undefined);
  };
  const dying = { ...worker, lock: readWriteLock(), claims: { ...worker.claims, claim } };
  void projectDelivery(dying, message, { receiveCount: 1 });
  await loading;
  const state = async () => (await sweep.deliveries.get(other.workspace, id))?.state;
  expect(await state()).toBe('processing');
  const tasks = sweepTasks(sweep);
  await tasks.due(after(15));
  expect(await messages()).toEqual([]);
  await tasks.due(after(17));
  await expect(messages()).resolves.toEqual([message]);
  await projectDelivery(worker, message, { receiveCount: 1 });
  expect(await state()).toBe('projected');
});
