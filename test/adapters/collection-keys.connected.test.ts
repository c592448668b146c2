import { createHash, randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { collectionKeys } from '../../shared/adapters/dynamodb/registry/collection-keys.ts';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import {
  createProjectKey,
  createServerKey,
  revokeKeysOf,
  revokeProjectKey,
  revokeServerKey,
} from '../../shared/domain/workspaces/access/collection-keys.ts';
import {
  addOrigin,
  createCollectionProject,
  removeOrigin,
} from '../../shared/domain/workspaces/access/collection-projects.ts';
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

describe('an origin', () => {
  it('is known while a project has it, also if it was added later', async () => {
    const table = { client: dynamodb(), name: stores.environment.TABLE_NAME };
    const { workspace, project } = await seedProject(table, 'https://first.acme.test');
    const ports = { registry: registry(table), clock: systemClock, randomBytes, actor: 'test' };
    const place = { workspace_id: workspace, id: project };
    const isKnown = (origin: string) => collectionKeys(table).isKnownOrigin(origin);
    expect(await isKnown('https://second.acme.test')).toBe(false);
    await addOrigin(ports, place, 'https://second.acme.test');
    expect(await isKnown('https://second.acme.test')).toBe(true);
    await removeOrigin(ports, place, 'https://second.acme.test');
    expect([await isKnown('https://second.acme.test'), await isKnown('https://first.acme.test')]).toEqual([
      false,
      true,
    ]);
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

describe('a key of a project', () => {
  const table = () => ({ client: dynamodb(), name: stores.environment.TABLE_NAME });

  it('is shown only to the operator who created it, although another one asks for it at the same time', async () => {
    const { workspace, project } = await seedProject(table(), 'https://twice.acme.test');
    const place = { workspace_id: workspace, id: project };
    const ports = { registry: registry(table()), clock: systemClock, randomBytes, actor: 'test' };
    const create = (one: typeof ports) => createProjectKey(one, place, { name: 'twice', environment: 'prod' });
    let first: Awaited<ReturnType<typeof create>> | undefined;
    const commit: typeof ports.registry.commit = async (writes) => {
      first ??= await create(ports);
      return ports.registry.commit(writes);
    };
    const second = await create({ ...ports, registry: { ...ports.registry, commit } });
    expect(first).toMatchObject({ created: true, key: expect.any(String) });
    expect(second).toEqual({ record: first?.record, created: false, key: null });
    const refused = { ...ports.registry, commit: async () => false };
    await expect(createServerKey({ ...ports, registry: refused }, place, 'none')).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('outlives the keys of another project of its workspace', async () => {
    const ended = await seedProject(table(), 'https://ended.acme.test');
    const ports = { registry: registry(table()), clock: systemClock, randomBytes, actor: 'test' };
    const input = { name: 'Other', environments: ['prod'], origins: [] };
    const { id } = (await createCollectionProject(ports, ended.workspace, input)).record;
    const other = { workspace_id: ended.workspace, id };
    const { key: project } = await createProjectKey(ports, other, { name: 'other web', environment: 'prod' });
    const { key: server } = await createServerKey(ports, other, 'other backend');
    await revokeKeysOf(ports, { workspace_id: ended.workspace, id: ended.project });
    const keys = collectionKeys(table());
    expect(await keys.projectKey(sha256(ended.key))).toBeNull();
    expect(await keys.serverKey(sha256(ended.serverKey))).toBeNull();
    expect(await keys.projectKey(sha256(project ?? ''))).toMatchObject({ projectId: id });
    expect(await keys.serverKey(sha256(server ?? ''))).toMatchObject({ projectId: id });
  });
});
