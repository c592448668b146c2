import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionKeys } from '../../shared/adapters/dynamodb/registry/collection-keys.ts';
import { accessReader } from '../../shared/adapters/dynamodb/registry/registry-readers.ts';
import { hashOf, isSecret } from '../../shared/domain/workspaces/access/secret.ts';
import { startAccessWorld } from '../support/access-world.ts';
import { commandLine } from '../support/command-line.ts';
import { credentialsFile } from '../support/credentials-file.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startAccessWorld);
let credentials: Awaited<ReturnType<typeof credentialsFile>>;

beforeAll(async () => {
  credentials = await credentialsFile();
});
afterAll(() => credentials.remove());

const entered = (...args: string[]) =>
  commandLine(['admin', ...args, '--credentials', credentials.file, '--actor', 'ada']);
const raw = async (...args: string[]) => {
  const { code, output, messages } = await entered(...args);
  if (code !== 0) throw new Error(messages);
  return output;
};
const run = async (...args: string[]) => JSON.parse(await raw(...args, '--json'));

describe('tributary admin (C-ADMIN-1)', () => {
  it('sets a deployment up by names, and the same commands again change nothing (C-ADMIN-2, C-ADMIN-3)', async () => {
    const commands = [
      ['workspaces', 'create', 'acme'],
      ['members', 'add', 'acme', 'user|1', '--role', 'admin', '--email', 'ada@acme.test'],
      ['connectors', 'create', 'acme', 'warehouse', '--kind', 'postgres', '--namespace', 'postgres://db:5432'],
      ['linked-projects', 'link', 'acme', 'dbt project / 7'],
      ['projects', 'create', 'acme', 'shop', '--environment', 'prod', '--origin', 'https://app.acme.test'],
      ['project-keys', 'create', 'acme', 'shop', 'web', '--environment', 'prod', '--rate', '5'],
      ['server-keys', 'create', 'acme', 'shop', 'backend'],
    ];
    for (const command of commands) expect((await run(...command)).created, command.join(' ')).toBe(true);
    for (const command of commands) {
      const repeated = await run(...command);
      expect([repeated.created, repeated.key ?? null], command.join(' ')).toEqual([false, null]);
    }
    const audit = await run('audit', 'acme');
    expect(audit.map((entry: { action: string }) => entry.action)).toEqual([
      'server_key.create',
      'project_key.create',
      'collection_project.create',
      'linked_project.link',
      'connector.create',
      'member.add',
      'workspace.create',
    ]);
    expect(new Set(audit.map((entry: { actor: string }) => entry.actor))).toEqual(new Set(['operator:ada']));
  });

  it('shows a key once, keeps its hash, and the collector finds what it opens (C-TOKEN-5)', async () => {
    await run('workspaces', 'create', 'keys');
    await run('projects', 'create', 'keys', 'shop', '--environment', 'prod', '--origin', 'https://keys.test');
    const created = await run('project-keys', 'create', 'keys', 'shop', 'web', '--environment', 'prod');
    expect(isSecret('project_key', created.key)).toBe(true);
    expect(JSON.stringify(await run('project-keys', 'list', 'keys', 'shop'))).not.toContain(created.key);
    const found = await collectionKeys(world.table).projectKey(hashOf(created.key));
    expect(found).toMatchObject({ environment: 'prod', origins: ['https://keys.test'], rate: null });
    await run('project-keys', 'revoke', 'keys', 'shop', 'web');
    expect(await collectionKeys(world.table).projectKey(hashOf(created.key))).toBeNull();
    const repeated = await run('project-keys', 'create', 'keys', 'shop', 'web', '--environment', 'prod');
    expect(repeated.key).not.toBe(created.key);
    expect(await collectionKeys(world.table).projectKey(hashOf(created.key))).toBeNull();
    expect(await collectionKeys(world.table).projectKey(hashOf(repeated.key))).not.toBeNull();
    await run('projects', 'revoke', 'keys', 'shop');
    expect(await collectionKeys(world.table).projectKey(hashOf(repeated.key))).toBeNull();
    expect(await collectionKeys(world.table).isKnownOrigin('https://keys.test')).toBe(false);
  });

  it('ends every key of a project with it, and with an environment only the project keys of that environment', async () => {
    await run('workspaces', 'create', 'ended');
    await run('projects', 'create', 'ended', 'shop', '--environment', 'prod', '--environment', 'dev');
    const create = async (kind: string, ...args: string[]) =>
      hashOf((await run(kind, 'create', 'ended', 'shop', ...args)).key);
    const prod = await create('project-keys', 'web', '--environment', 'prod');
    const dev = await create('project-keys', 'test', '--environment', 'dev');
    const server = await create('server-keys', 'backend');
    // Each reader has a separate cache.
    const working = async () => {
      const keys = collectionKeys(world.table);
      const found = [await keys.projectKey(prod), await keys.projectKey(dev), await keys.serverKey(server)];
      return found.map((key) => key !== null);
    };
    expect(await working()).toEqual([true, true, true]);
    await run('environments', 'remove', 'ended', 'shop', 'dev');
    expect(await working()).toEqual([true, false, true]);
    await run('projects', 'revoke', 'ended', 'shop');
    expect(await working()).toEqual([false, false, false]);
  });

  it('adds no fifty-first origin', async () => {
    await run('workspaces', 'create', 'crowded');
    const origins = Array.from({ length: 50 }, (_, i) => ['--origin', `https://o${i}.test`]).flat();
    await run('projects', 'create', 'crowded', 'shop', '--environment', 'prod', ...origins);
    expect(await entered('origins', 'add', 'crowded', 'shop', 'https://one-more.test')).toMatchObject({
      messages: expect.stringContaining('A project has at most 50 origins.'),
    });
    await run('origins', 'remove', 'crowded', 'shop', 'https://o7.test');
    expect((await run('origins', 'add', 'crowded', 'shop', 'https://one-more.test')).origins).toHaveLength(50);
  });

  it('adds and removes origins for browsers and preflights alike', async () => {
    await run('workspaces', 'create', 'origins');
    await run('projects', 'create', 'origins', 'shop', '--environment', 'prod');
    const known = () => collectionKeys(world.table).isKnownOrigin('https://new.test:8443');
    expect(await known()).toBe(false);
    await Promise.all(
      ['https://new.test:8443', 'https://b.test', 'http://localhost:3000'].map((origin) =>
        run('origins', 'add', 'origins', 'shop', origin),
      ),
    );
    expect(await known()).toBe(true);
    expect((await run('origins', 'list', 'origins', 'shop')).toSorted()).toEqual([
      'http://localhost:3000',
      'https://b.test',
      'https://new.test:8443',
    ]);
    await run('origins', 'remove', 'origins', 'shop', 'https://new.test:8443');
    expect(await known()).toBe(false);
    for (const bad of [
      'https://new.test/',
      'HTTPS://new.test',
      'https://new.test:443',
      '*',
      'new.test',
      'https://*.new.test',
    ])
      expect(await entered('origins', 'add', 'origins', 'shop', bad), bad).toMatchObject({ code: 2, output: '' });
  });

  it('keeps the name of a connector for ever, and changes its kind if that is requested (C-ADMIN-4)', async () => {
    await run('workspaces', 'create', 'kinds');
    const { id, workspace_id } = await run('connectors', 'create', 'kinds', 'lake', '--kind', 'snowflake');
    expect((await run('connectors', 'create', 'kinds', 'lake', '--kind', 'spark')).created).toBe(false);
    expect((await entered('connectors', 'update', 'kinds', 'lake', '--name', 'sea')).code).toBe(2);
    expect((await entered('connectors', 'update', 'kinds', 'lake', '--kind', 'sea')).code).toBe(2);
    const changed = await run('connectors', 'update', 'kinds', 'lake', '--kind', 'spark', '--namespace', 'hive://a:1');
    expect(changed).toMatchObject({ kind: 'spark', names: 'in_force' });
    await run('connectors', 'update', 'kinds', 'lake', '--kind', 'snowflake', '--add-namespace', 'hive://b:1');
    expect(await run('connectors', 'names', 'kinds')).toMatchObject({ names: 'in_force', state: null });
    const [shown] = await run('connectors', 'list', 'kinds');
    expect(shown).toEqual({
      id,
      workspace_id,
      kind: 'snowflake',
      name: 'lake',
      namespaces: ['hive://a:1', 'hive://b:1'],
      default_database: null,
      default_schema: null,
      layers: [],
      datahub_env: 'PROD',
      datahub_platform_instances: [],
      observed_retention_days: 90,
      shrink_guard: { mode: 'warn', share: 0.5 },
      expression_literals: 'shown',
      statement_columns: 'derived',
      parts: 'whole',
    });
  });

  it('changes members and connectors, and forgets those that are removed', async () => {
    await run('workspaces', 'create', 'changes');
    await run('members', 'add', 'changes', 'u', '--role', 'viewer');
    expect((await run('members', 'add', 'changes', 'u', '--role', 'editor')).role).toBe('editor');
    expect(await run('members', 'remove', 'changes', 'u')).toEqual({ removed: true });
    expect(await run('members', 'list', 'changes')).toEqual([]);
    await run('connectors', 'create', 'changes', 'lake', '--kind', 'snowflake', '--default-database', 'A');
    await run('connectors', 'update', 'changes', 'lake', '--shrink-guard', 'hold:0.3', '--default-schema', 'B');
    await run('connectors', 'update', 'changes', 'lake', '--layer', 'lake.dim_*=marts', '--layer', 'events=sources');
    const [shown] = await run('connectors', 'list', 'changes');
    expect(shown).toMatchObject({
      default_database: 'A',
      default_schema: 'B',
      shrink_guard: { mode: 'hold', share: 0.3 },
      observed_retention_days: 90,
      layers: [
        { schema: 'lake.dim_*', layer: 'marts' },
        { schema: 'events', layer: 'sources' },
      ],
    });
    expect(await run('connectors', 'remove', 'changes', 'lake')).toEqual({
      removed: true,
      next: expect.stringContaining('tributary admin scopes forget changes'),
    });
    await expect(run('connectors', 'update', 'changes', 'lake')).rejects.toThrow('There is no connector “lake”.');
  });

  it('switches access tokens off, and says what it does to people too', async () => {
    await run('workspaces', 'create', 'pats');
    expect(await raw('workspaces', 'pats', 'pats', 'off')).toMatch(/^pats_enabled: false$/m);
    expect(await raw('workspaces', 'list')).toMatch(/^id +name +pats_enabled +created_at$/m);
  });

  it('lists without keys, and removes what is gone without complaint', async () => {
    await run('workspaces', 'create', 'lists');
    await run('projects', 'create', 'lists', 'shop', '--environment', 'prod');
    await run('project-keys', 'create', 'lists', 'shop', 'web', '--environment', 'prod');
    await run('server-keys', 'create', 'lists', 'shop', 'backend');
    for (const kind of ['project-keys', 'server-keys']) {
      const [listed] = await run(kind, 'list', 'lists', 'shop');
      expect(listed, kind).toHaveProperty('created_at');
      expect(listed, kind).not.toHaveProperty('hash');
    }
    for (const kind of ['members', 'linked-projects', 'connectors']) {
      const verb = kind === 'linked-projects' ? 'unlink' : 'remove';
      expect(await run(kind, verb, 'lists', 'nobody'), kind).toEqual({ removed: false });
    }
  });

  it('ends an environment with its keys, and a project opened again has none of its old ones', async () => {
    await run('workspaces', 'create', 'opened');
    await run('projects', 'create', 'opened', 'shop', '--environment', 'prod', '--environment', 'dev');
    const keyFor = async (name: string, environment: string) =>
      hashOf((await run('project-keys', 'create', 'opened', 'shop', name, '--environment', environment)).key);
    const [prod, dev] = [await keyFor('a', 'prod'), await keyFor('b', 'dev')];
    const opens = async (hash: string) => (await collectionKeys(world.table).projectKey(hash)) !== null;
    await run('environments', 'remove', 'opened', 'shop', 'dev');
    expect([await opens(prod), await opens(dev)]).toEqual([true, false]);
    expect(await run('environments', 'list', 'opened', 'shop')).toEqual(['prod']);
    await run('projects', 'revoke', 'opened', 'shop');
    const repeated = await run('projects', 'create', 'opened', 'shop', '--environment', 'test');
    expect(repeated).toMatchObject({ created: true, revoked_at: null, environments: ['test'] });
    expect(await opens(prod)).toBe(false);
    expect(await opens(await keyFor('a', 'test'))).toBe(true);
  });

  it('ends a workspace with all that lets anyone in, for good', async () => {
    const { id } = await run('workspaces', 'create', 'closed');
    await run('members', 'add', 'closed', 'u', '--role', 'admin');
    await run('projects', 'create', 'closed', 'shop', '--environment', 'prod', '--origin', 'https://closed.test');
    const { key } = await run('project-keys', 'create', 'closed', 'shop', 'web', '--environment', 'prod');
    const { token } = await world.token(id, 'u', ['read']);
    const access = accessReader(world.table);
    expect(await run('workspaces', 'remove', 'closed')).toEqual({ removed: true });
    expect(await run('workspaces', 'remove', 'closed')).toEqual({ removed: false });
    await run('workspaces', 'create', 'closed');
    expect(await access.membership(id, 'u' as never)).toEqual({ role: null, patsEnabled: true });
    expect((await access.token(hashOf(token)))?.token.revoked_at).not.toBeNull();
    expect(await collectionKeys(world.table).projectKey(hashOf(key))).toBeNull();
    expect(await collectionKeys(world.table).isKnownOrigin('https://closed.test')).toBe(false);
  });

  it.each(['\0', '\ufffe', '\uffff', '\ud800'])(
    'takes no text with %j, which no store or queue keeps as it is (C-INGEST-15)',
    async (hostile) => {
      await run('workspaces', 'create', 'unicode');
      await run('projects', 'create', 'unicode', 'web', '--environment', 'prod');
      const name = `a${hostile}`;
      const duck = ['--kind', 'duckdb', '--namespace', 'duckdb://u'];
      for (const bad of [
        ['workspaces', 'create', name],
        ['members', 'add', 'unicode', name, '--role', 'viewer'],
        ['members', 'add', 'unicode', 'ann', '--role', 'viewer', '--email', `${name}@x.test`],
        ['connectors', 'create', 'unicode', name, ...duck],
        ['connectors', 'create', 'unicode', 'c', '--kind', 'duckdb', '--namespace', `duckdb://${name}`],
        ['connectors', 'create', 'unicode', 'c', ...duck, '--default-database', name],
        ['connectors', 'create', 'unicode', 'c', ...duck, '--default-schema', name],
        ['linked-projects', 'link', 'unicode', name],
        ['projects', 'create', 'unicode', name, '--environment', 'prod'],
        ['project-keys', 'create', 'unicode', 'web', name, '--environment', 'prod'],
        ['server-keys', 'create', 'unicode', 'web', name],
      ])
        expect(await entered(...bad), JSON.stringify(bad)).toMatchObject({ code: 2, output: '' });
      const target = ['--credentials', credentials.file, '--actor', name];
      const acting = await commandLine(['admin', 'workspaces', 'create', 'another', ...target]);
      expect(acting).toMatchObject({ code: 2, output: '' });
    },
  );

  it('refuses what cannot be meant, before anything is changed', async () => {
    for (const bad of [
      ['workspaces', 'destroy', 'x'],
      ['workspaces', 'create'],
      ['workspaces', 'create', 'x', '--role', 'admin'],
      ['members', 'add', 'acme', 'u', '--role', 'owner'],
      ['project-keys', 'create', 'acme', 'shop', 'x', '--environment', 'prod', '--rate', 'fast'],
      ['--nonsense'],
    ])
      expect(await entered(...bad), bad.join(' ')).toMatchObject({ code: 2, output: '' });
    expect(await entered('workspaces', 'create', ' blank ')).toMatchObject({ code: 2 });
    await expect(run('members', 'list', 'nowhere')).rejects.toThrow('There is no workspace “nowhere”.');
    expect(await entered('members', 'list', 'nowhere')).toMatchObject({ code: 3 });
  });
});
