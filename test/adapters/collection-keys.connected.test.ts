import { createHash, randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { collectionKeys } from '../../shared/adapters/dynamodb/registry/collection-keys.ts';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import { revokeProjectKey, revokeServerKey } from '../../shared/domain/workspaces/access/collection-keys.ts';
import { removeOrigin } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { setTrackingPlan } from '../../shared/domain/workspaces/access/collection-settings.ts';
import { seedProject } from '../support/collection-seed.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
afterAll(() => {
  vi.restoreAllMocks();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a tracking plan', () => {
  it('is read once by a process, and holds within a minute after it was set (C-PLAN-1)', async () => {
    const table = { client: dynamodb(), name: stores.environment.TABLE_NAME };
    const project = await seedProject(table, 'https://plan.acme.test');
    const keys = collectionKeys(table);
    const hash = sha256(project.key);
    expect(await keys.projectKey(hash)).toMatchObject({ isPlanned: false });
    const ports = { registry: registry(table), clock: systemClock, randomBytes, actor: 'test' };
    const place = { workspace_id: project.workspace, id: project.project };
    const plan = { mode: 'warn' as const, additional_events: true, events: {} };
    await setTrackingPlan(ports, place, plan);
    const later = performance.now() + 60_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    await vi.waitFor(async () => expect(await keys.projectKey(hash)).toMatchObject({ isPlanned: true }));
    const read = await keys.trackingPlan(hash);
    expect(read).toEqual(plan);
    await setTrackingPlan(ports, place, { ...plan, mode: 'off' });
    expect(await keys.trackingPlan(hash)).toBe(read);
    clock.mockImplementation(() => later + 60_000);
    await vi.waitFor(async () => expect(await keys.trackingPlan(hash)).toMatchObject({ mode: 'off' }));
    expect(await keys.projectKey(hash)).toMatchObject({ isPlanned: false });
    clock.mockRestore();
  });
});

describe('keys and origins that were read before', () => {
  it('hold no longer than a minute after they were revoked (C-COLLECT-21)', async () => {
    const table = { client: dynamodb(), name: stores.environment.TABLE_NAME };
    const project = await seedProject(table, 'https://app.acme.test');
    const keys = collectionKeys(table);
    const read = async () => [
      await keys.projectKey(sha256(project.key)),
      await keys.serverKey(sha256(project.serverKey)),
      await keys.isKnownOrigin(project.origin),
    ];
    expect((await read()).every(Boolean)).toBe(true);

    const ports = { registry: registry(table), clock: systemClock, randomBytes, actor: 'test' };
    const place = { workspace_id: project.workspace, id: project.project };
    await revokeProjectKey(ports, place, 'web');
    await revokeServerKey(ports, place, 'backend');
    await removeOrigin(ports, place, project.origin);
    const later = performance.now() + 60_000;
    vi.spyOn(performance, 'now').mockImplementation(() => later);
    // The cache reads the clock once a millisecond.
    await vi.waitFor(async () => expect((await read()).some(Boolean)).toBe(false));
  });
});
