import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepTasks } from '../../functions/sweep/tasks.ts';
import { codehostWorker } from '../../shared/runtime/codehost-worker.ts';
import { pullRequestPorts } from '../../shared/runtime/composition/codehost.ts';
import { storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { storeEventsFunction } from '../../shared/runtime/store-messages.ts';
import { type CleanRun, cleanRun, onlyFault, singleFaults, violationOf } from '../support/faults/explore.ts';
import type { FaultKind } from '../support/faults/fault.ts';
import { flows } from '../support/faults/flows.ts';
import { fetchInProcess } from '../support/faults/processes.ts';
import { sampled } from '../support/faults/sampled.ts';
import { type FaultWorld, startFaultWorld } from '../support/faults/world.ts';

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld();
});
afterAll(() => world.stop());

const flowOf = (name: string) => {
  const flow = flows[name];
  if (!flow) throw new Error(`there is no flow ${name}`);
  return [name, flow] as const;
};

/** The last fault of the kind that befalls a request: what comes after it makes nothing good. */
function lastFault(clean: CleanRun, kind: FaultKind, request: RegExp) {
  const at = clean.requests.findLastIndex((one) => request.test(one));
  if (at < 0) throw new Error('the flow makes no such request');
  return onlyFault([at, kind]);
}

describe('a fault at one request', () => {
  it.each([
    'native events',
    'OpenLineage runs',
    'payloads that are archived',
    'dbt snapshots',
    'pull request that is checked',
  ])('does not change the result of %s', async (name) => {
    const flow = flowOf(name);
    const clean = await cleanRun(world, flow[1]);
    for (const fault of sampled(singleFaults(clean), 4, 1))
      expect(await violationOf(world, flow, clean, onlyFault(fault))).toBeNull();
  });
});

describe('the harness finds', () => {
  it('events that are stored twice', async () => {
    const claimsAll = () => {
      const ports = storeEventsPorts();
      return storeEventsFunction({ ...ports, ledger: { ...ports.ledger, claim: async () => null } });
    };
    const { service } = world;
    const broken = { ...world, service: { ...service, workers: { ...service.workers, events: claimsAll } } };
    const problemIn = async (place: FaultWorld) => {
      const flow = flowOf('batch that no message holds');
      const clean = await cleanRun(place, flow[1]);
      const fault = lastFault(clean, 'cut_after', /^events DeleteObject/);
      return (await violationOf(place, flow, clean, fault))?.problem;
    };
    expect(await problemIn(world)).toBeUndefined();
    expect(await problemIn(broken)).toContain('+ event ');
  });

  it('payloads that are removed before an archive has them', async () => {
    const removing = () => {
      const ports = sweepPorts();
      const put: typeof ports.archives.put = async (payloads) => {
        await ports.small.remove(payloads);
        await ports.archives.put(payloads);
      };
      return sweepTasks({ ...ports, archives: { ...ports.archives, put } });
    };
    const problemIn = async (place: FaultWorld) => {
      const flow = flowOf('payloads that are archived');
      const clean = await cleanRun(place, flow[1]);
      return (await violationOf(place, flow, clean, lastFault(clean, 'cut_before', /^sweep PutObject/)))?.problem;
    };
    expect(await problemIn(world)).toBeUndefined();
    const broken = { ...world, service: { ...world.service, sweep: removing } };
    expect(await problemIn(broken)).toMatch(/\+ payload \S+ lost/);
  });

  it('webhooks that are notified only by the process that made the change', async () => {
    const flow = flowOf('notification that nobody takes at first');
    const problemIn = async (place: FaultWorld) => {
      const clean = await cleanRun(place, flow[1]);
      const fault = lastFault(clean, 'cut_before', /^documents SendMessage/);
      return (await violationOf(place, flow, clean, fault))?.problem;
    };
    expect(await problemIn(world)).toBeUndefined();
    const forgetting = () => sweepTasks({ ...sweepPorts(), announcements: { due: async () => [] } });
    const broken = { ...world, service: { ...world.service, sweep: forgetting } };
    expect(await problemIn(broken)).toMatch(/- notified A dbt_manifest snapshot .* signed/);
  });

  it('check runs that another worker writes beside', async () => {
    const flow = flowOf('pull request that is checked');
    const clean = await cleanRun(world, flow[1]);
    const fault = lastFault(clean, 'unanswered', /^codehost POST/);
    expect(await violationOf(world, flow, clean, fault)).toBeNull();
    const blind: typeof fetchInProcess = (...bounds) => {
      const fetch = fetchInProcess(...bounds);
      return async (url, init) => (/check-runs\?/.test(url) ? Response.json({ check_runs: [] }) : fetch(url, init));
    };
    const codehost = () => codehostWorker(pullRequestPorts(blind));
    const broken = { ...world, service: { ...world.service, workers: { ...world.service.workers, codehost } } };
    expect((await violationOf(broken, flow, clean, fault))?.problem).toContain('+ check run');
  });

  it('lineage that is never worked', async () => {
    const nothing = async () => undefined;
    const idle = () => ({
      due: nothing,
      gaps: nothing,
      garbage: nothing,
      checks: nothing,
      payloads: nothing,
      names: nothing,
    });
    const flow = flowOf('dbt snapshots');
    const clean = await cleanRun(world, flow[1]);
    const fault = lastFault(clean, 'refused', /^ingest SendMessage/);
    expect(await violationOf(world, flow, clean, fault)).toBeNull();
    const broken = { ...world, service: { ...world.service, sweep: idle } };
    const found = await violationOf(broken, flow, clean, fault);
    expect(found?.problem).toMatch(/\+ delivery \S+ dbt_manifest accepted/);
  });
});
