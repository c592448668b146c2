import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../shared/contract/api/routes.ts';
import { WorkspaceId } from '../../shared/contract/ids.ts';
import type { Route } from '../../shared/contract/route.ts';
import { createCollectionProject, linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { isSecret } from '../../shared/domain/workspaces/access/secret.ts';
import { addMember, removeMember } from '../../shared/domain/workspaces/access/workspaces.ts';
import { startAccessWorld } from '../support/access-world.ts';
import { codeOf, deployedFunctions, type Send } from '../support/deployed-functions.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startAccessWorld);
let send: Send;
beforeAll(async () => {
  send = await deployedFunctions();
});

type Query = Readonly<Record<string, string>>;
type Page = { readonly items: readonly Readonly<Record<string, unknown>>[]; readonly next_cursor: string | null };

const ask = async (route: Route, token: string, query: Query = {}) => {
  const answer = await send({ route, token, query });
  return { ...answer, page: JSON.parse(answer.text) as Page };
};

/** Every item of a list, a page of two at a time. */
async function everything(route: Route, token: string, query: Query = {}) {
  const items: Page['items'][number][] = [];
  let cursor: string | null = null;
  do {
    const { page }: { page: Page } = await ask(route, token, { ...query, limit: '2', ...(cursor && { cursor }) });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}

describe('the list of workspaces (C-READ-8)', () => {
  it('lists the current memberships of the caller with the role, one page at a time', async () => {
    const { operator, issuer } = world;
    const own = await Promise.all(['one', 'two', 'three', 'four', 'five'].map((name) => world.workspace(name)));
    for (const [index, { id }] of own.entries())
      await addMember(operator, id, { user_id: 'ann', role: index === 0 ? 'admin' : 'viewer' });
    await world.workspace('foreign');
    const left = own[4];
    if (left) await removeMember(operator, left.id, 'ann');
    const items = await everything(routes.listWorkspaces, await issuer.sign('ann'));
    const expected = own
      .slice(0, 4)
      .map(({ id, name }, index) => ({ id, name, role: index === 0 ? 'admin' : 'viewer' }));
    expect(items).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  });

  it('has the one workspace of an access token', async () => {
    const { id, name } = await world.workspace('bound');
    const { token } = await world.token(id, 'bound-editor', ['read']);
    const { page } = await ask(routes.listWorkspaces, token);
    expect(page).toEqual({ items: [{ id, name, role: 'editor' }], next_cursor: null });
  });

  it('refuses the cursor of another caller', async () => {
    const [a, b] = [await world.workspace('ours'), await world.workspace('theirs')];
    for (const { id } of [a, b]) await addMember(world.operator, id, { user_id: 'bob', role: 'viewer' });
    const { page } = await ask(routes.listWorkspaces, await world.issuer.sign('bob'), { limit: '1' });
    const foreign = await ask(routes.listWorkspaces, await world.issuer.sign('eve'), {
      cursor: String(page.next_cursor),
    });
    expect([foreign.status, codeOf(foreign)]).toEqual([422, 'validation_error']);
  });
});

describe('the list of connectors (C-READ-8)', () => {
  it('lists only the connectors of the workspace, one page at a time, with its own cursors', async () => {
    const { id } = await world.workspace('wired');
    const { id: other } = await world.workspace('elsewhere');
    const created = await Promise.all(
      ['a', 'b', 'c'].map((name) => createConnector(world.operator, id, { name, kind: 'duckdb', namespaces: [name] })),
    );
    await createConnector(world.operator, other, { name: 'theirs', kind: 'duckdb' });
    const token = await world.issuer.sign('wired-viewer');
    const items = await everything(routes.listConnectors, token, { workspace_id: id });
    expect(items.map((item) => item['name']).toSorted()).toEqual(['a', 'b', 'c']);
    expect(items.find((item) => item['name'] === 'a')).toEqual({
      id: created[0]?.record.id,
      workspace_id: id,
      kind: 'duckdb',
      name: 'a',
      namespaces: ['a'],
      default_database: null,
      default_schema: null,
      layers: [],
    });
    const { page } = await ask(routes.listConnectors, token, { workspace_id: id, limit: '1' });
    await addMember(world.operator, other, { user_id: 'wired-viewer', role: 'viewer' });
    const cursor = String(page.next_cursor);
    expect(codeOf(await ask(routes.listConnectors, token, { workspace_id: other, cursor }))).toBe('validation_error');
  });
});

describe('the collection projects of a workspace', () => {
  const json = async (route: Route, token: string, sent: object) => {
    const answer = await send({ route, token, ...sent });
    return { status: answer.status, code: codeOf(answer), body: answer.text ? JSON.parse(answer.text) : null };
  };

  it('are made and listed with their keys, and each key is shown only once (C-ADMIN-7, C-ADMIN-9)', async () => {
    const { id: workspace_id } = await world.workspace('collecting');
    const token = await world.issuer.sign('collecting-admin');
    const creation = { workspace_id, name: 'web', environments: ['prod'], origins: ['https://shop.test'] };
    const project = await json(routes.createCollectionProject, token, { body: creation });
    const repeated = await json(routes.createCollectionProject, token, { body: creation });
    expect([project.status, repeated.status, repeated.body]).toEqual([201, 201, project.body]);
    const params = { collection_project_id: project.body.id };
    const body = { workspace_id, name: 'browser', environment: 'prod' };
    const key = await json(routes.createProjectKey, token, { params, body });
    expect([key.status, key.body.revoked_at]).toEqual([201, null]);
    expect(isSecret('project_key', key.body.key)).toBe(true);
    expect(await json(routes.createProjectKey, token, { params, body })).toMatchObject({ code: 'conflict' });
    const elsewhere = await json(routes.createProjectKey, token, {
      params,
      body: { ...body, name: 'other', environment: 'test' },
    });
    expect([elsewhere.status, elsewhere.code]).toEqual([404, 'not_found']);
    const { key: _, ...listed } = key.body;
    const [shown] = await everything(routes.listCollectionProjects, token, { workspace_id });
    expect(shown).toEqual({ ...project.body, project_keys: [listed], server_keys: [] });
    const revoking = { params: { ...params, project_key_id: key.body.id }, query: { workspace_id } };
    expect((await json(routes.revokeProjectKey, token, revoking)).status).toBe(204);
    const [after] = await everything(routes.listCollectionProjects, token, { workspace_id });
    expect(after).toMatchObject({ project_keys: [{ id: key.body.id, revoked_at: expect.any(String) }] });
  });

  it('gain and lose origins, and refuse what is none by its place (C-ADMIN-8)', async () => {
    const { id: workspace_id } = await world.workspace('origins');
    const token = await world.issuer.sign('origins-admin');
    const creation = { workspace_id, name: 'web', environments: ['prod'] };
    const { body: project } = await json(routes.createCollectionProject, token, { body: creation });
    const params = { collection_project_id: project.id };
    const add = (origin: string) => json(routes.addCollectionOrigin, token, { params, body: { workspace_id, origin } });
    for (let times = 0; times < 2; times++)
      expect((await add('https://a.test')).body).toEqual({ ...project, origins: ['https://a.test'] });
    expect(await add('https://a.test/path')).toMatchObject({ status: 422, code: 'validation_error' });
    const query = { workspace_id, origin: 'https://a.test' };
    for (let times = 0; times < 2; times++)
      expect((await json(routes.removeCollectionOrigin, token, { params, query })).status).toBe(204);
    expect(await everything(routes.listCollectionProjects, token, { workspace_id })).toMatchObject([{ origins: [] }]);
  });

  it('are listed in pages, without those of other workspaces', async () => {
    const { id: workspace_id } = await world.workspace('several');
    const { id: other } = await world.workspace('foreigners');
    const token = await world.issuer.sign('several-admin');
    const make = (name: string) =>
      json(routes.createCollectionProject, token, { body: { workspace_id, name, environments: ['prod'] } });
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (name) => (await make(name)).body.id));
    const listed = await everything(routes.listCollectionProjects, token, { workspace_id });
    expect(listed.map(({ id }) => id)).toEqual(ids.toSorted());
    const stranger = await world.issuer.sign('foreigners-admin');
    const counts = await json(routes.countCollectedEvents, stranger, {
      params: { collection_project_id: ids[0] },
      query: { workspace_id: other },
    });
    expect([counts.status, counts.code]).toEqual([404, 'not_found']);
  });
});

it('keeps nothing in a workspace that does not exist', async () => {
  const { operator } = world;
  const nowhere = v.parse(WorkspaceId, 'ws_00000000000000000000');
  const makings = [
    () => createConnector(operator, nowhere, { name: 'pg', kind: 'postgres' }),
    () => createCollectionProject(operator, nowhere, { name: 'web', environments: ['prod'] }),
    () => addMember(operator, nowhere, { user_id: 'somebody', role: 'viewer' }),
    () => linkProject(operator, nowhere, 'shop'),
  ];
  for (const make of makings)
    await expect(make()).rejects.toMatchObject({ code: 'not_found', message: 'There is no such workspace.' });
});
