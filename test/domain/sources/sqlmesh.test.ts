import { beforeAll, describe, expect, it } from 'vitest';
import { nodeOf, relationRefOf } from '../../../shared/domain/lineage/graph/node.ts';
import type { Declared } from '../../../shared/domain/lineage/sources/declared/declared.ts';
import { declaredFieldErrors, readDeclared } from '../../../shared/domain/lineage/sources/read-body.ts';
import project from '../../fixtures/sqlmesh/crm-export.json' with { type: 'json' };
import { connectorWith } from '../identity/connectors.ts';
import { declare, derivationOf, scopeOf, tableEdges, valueEdges } from './declare.ts';

const scope = scopeOf(connectorWith({ default_database: 'crm', default_schema: 'core' }));
const document = (changed: Record<string, unknown> = {}) =>
  ({ kind: 'sqlmesh_project', project: { ...project, ...changed } }) as const;
const read = (changed?: Record<string, unknown>) => readDeclared(scope, document(changed));

describe('what a SQLMesh export declares', () => {
  let declared: Declared;
  beforeAll(async () => {
    declared = await declare(scope, document());
  });

  it('names models by fqn, and what uses an embedded model depends on what that depends on (C-SQLMESH-4, C-SQLMESH-5)', () => {
    expect(tableEdges(declared).map((edge) => edge.replaceAll('"', ''))).toEqual(
      [
        'crm.erp.accounts -> crm.core.accounts',
        'crm.core.accounts -> crm.core.by_name',
        'crm.core.regions -> crm.core.by_name',
        'crm.core.accounts -> crm.core.inlined',
        'crm.core.accounts -> crm.core.dev_only',
        'crm.erp.audit -> crm.core.undescribed',
        'crm.core.accounts -> crm.core.lifetime',
        'crm.core.accounts -> crm.core.backticks',
        'crm.core.accounts -> crm.core.scd',
        'crm.core.scd -> crm.core."current"',
        'crm.core.accounts -> crm.core.py',
        'crm.core.accounts -> crm.core.unrendered',
        'crm.core.accounts -> crm.core.leaky',
        'crm.erp.secret -> undeclared read by crm.core.leaky',
      ]
        .map((edge) => edge.replaceAll('"', ''))
        .sort(),
    );
  });

  it.each([
    ['accounts', ['crm.erp.accounts.id -> id', 'crm.erp.accounts.owner -> owner', 'crm.erp.accounts.amount -> amount']],
    ['by_name', ['crm.core.accounts.amount -> most']],
    ['inlined', ['crm.core.accounts.id -> big_id']],
    ['dev_only', ['crm.core.accounts.id -> id']],
    ['undescribed', ['crm.erp.audit.flag -> flag']],
    ['lifetime', ['crm.core.accounts.id -> id']],
    ['backticks', ['crm.core.accounts.owner -> who']],
    [
      'current',
      ['crm.core.scd.id -> id', 'crm.core.scd.valid_from -> valid_from', 'crm.core.scd.valid_to -> valid_to'],
    ],
  ])('maps the columns of %s by physical names, fqns and external columns (C-SQLMESH-2)', (name, edges) => {
    expect(valueEdges(declared, `crm.core.${name}`)).toEqual(edges);
  });

  it('joins the way through an embedded model: the strongest step names it, its filters hold', () => {
    const { columns } = derivationOf(declared, 'crm.core.by_name');
    expect(columns).toContainEqual(expect.objectContaining({ outputColumn: 'most', subtype: 'AGGREGATION' }));
    expect(columns).toContainEqual(
      expect.objectContaining({ inputColumn: 'amount', outputColumn: null, type: 'INDIRECT', subtype: 'FILTER' }),
    );
  });

  it.each([
    ['py', 'non_sql_model'],
    ['unrendered', 'rendered_sql_unavailable'],
    ['leaky', 'rendered_sql_reads_outside_declared_dependencies'],
  ])('guesses no columns of %s: %s (C-SQLMESH-3, C-DECLARED-14)', (name, reason) => {
    const { columns, unresolved } = derivationOf(declared, `crm.core.${name}`);
    expect(columns).toEqual([]);
    expect(unresolved).toEqual([{ outputColumn: null, reason }]);
  });

  it('keeps the parser’s own reason (C-SQLMESH-6)', async () => {
    const on = { language: 'sql', depends_on: ['"crm"."core"."accounts"'] };
    const broken = { fqn: '"crm"."core"."broken"', kind: 'FULL', ...on, rendered_sql: 'select from from' };
    const changed = await declare(scope, document({ models: [...project.models, broken] }));
    expect(derivationOf(changed, 'crm.core.broken').unresolved).toEqual([
      { outputColumn: null, reason: expect.stringMatching(/parser/) },
    ]);
  });

  it('counts each reason by models', () => {
    expect(declared.unresolved).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ reason: 'embedded_dependency_has_no_relation', count: 2 }),
        expect.objectContaining({ reason: 'non_sql_model', count: 1 }),
        expect.objectContaining({ reason: 'rendered_sql_unavailable', count: 1 }),
        expect.objectContaining({ reason: 'rendered_sql_reads_outside_declared_dependencies', count: 1 }),
      ]),
    );
  });

  it('states the columns that it was given or found', () => {
    const columnsOf = (ref: string) =>
      [...declared.schemas].find(([urn]) => relationRefOf(nodeOf(urn)) === ref)?.[1].columns;
    expect(columnsOf('crm.erp.accounts')).toContainEqual({ name: 'amount', type: 'INT' });
    expect(columnsOf('crm.core.scd')?.map(({ name }) => name)).toEqual(['id', 'valid_from', 'valid_to']);
  });
});

describe('the columns that a model of an export lists with types (C-SQLMESH-7)', () => {
  const model = (name: string, fields: object) => ({
    fqn: `"crm"."core"."${name}"`,
    kind: 'FULL',
    depends_on: [],
    ...fields,
  });
  const reader = model('reader', {
    depends_on: ['"crm"."core"."typed"'],
    rendered_sql: 'select * from "crm"."core"."typed"',
  });
  const schemasWith = async (typed: object) => {
    const models = [model('typed', { language: 'python', ...typed }), reader];
    return (await declare(scope, document({ models, external_models: [] }))).schemas;
  };
  const columnsWith = async (typed: object) => {
    const schemas = await schemasWith(typed);
    const names = [...schemas].map(([urn, { columns }]) => [relationRefOf(nodeOf(urn)), columns] as const);
    return new Map(names);
  };

  it.each(['columns', 'columns_to_types'])(
    'are known from %s, also of a Python model, and expand a star',
    async (member) => {
      const columns = await columnsWith({ [member]: { id: 'INT', name: null } });
      expect(columns.get('crm.core.typed')).toEqual([
        { name: 'id', type: 'INT' },
        { name: 'name', type: null },
      ]);
      expect(columns.get('crm.core.reader')?.map(({ name }) => name)).toEqual(['id', 'name']);
    },
  );

  it('come with those that the kind adds', async () => {
    const columns = await columnsWith({ columns: { id: 'INT' }, kind: 'SCD_TYPE_2_BY_TIME' });
    expect(columns.get('crm.core.typed')?.map(({ name }) => name)).toEqual(['id', 'valid_from', 'valid_to']);
  });

  it('are needed by its own next run if its settings name them, or its kind adds them', async () => {
    const columns = { id: 'INT', day: 'DATE', n: 'INT' };
    const schemas = await schemasWith({ columns, kind: 'SCD_TYPE_2', own_columns: ['ID', 'gone'] });
    const own = [...schemas.values()].flatMap((schema) => schema.own ?? []);
    expect(own).toEqual(['id', 'valid_from', 'valid_to']);
  });

  const renamed = ['_sqlmesh_valid_from', '_sqlmesh_valid_to'];
  const [from, to] = renamed;
  it.each([
    [{ name: 'SCD_TYPE_2', valid_from_name: from, valid_to_name: `"${to}"` }, ['id'], renamed],
    ['SCD_TYPE_2_BY_COLUMN', ['id', ...renamed], renamed],
    ['SCD_TYPE_2_BY_TIME', ['id', 'valid_from_utc', 'valid_to_utc'], ['valid_from_utc', 'valid_to_utc']],
  ])('have what the kind %j adds to %j under the names that the project gives', async (kind, listed, added) => {
    const columns = await columnsWith({ kind, columns: Object.fromEntries(listed.map((name) => [name, 'TIMESTAMP'])) });
    expect(columns.get('crm.core.reader')?.map(({ name }) => name)).toEqual(['id', ...added]);
  });

  it.each([[{}], [[]], ['id INT'], [{ id: 5 }], [null]])(
    'are not known from %j, which fails nothing',
    async (columns) => {
      expect((await columnsWith({ columns })).get('crm.core.typed')).toBeUndefined();
    },
  );
});

describe('reading a SQLMesh export', () => {
  it('counts without parsing SQL', () => {
    expect(read()).toMatchObject({
      itemCount: 15,
      environment: 'prod',
      shapeErrors: [],
      counts: { models: 14, nodes: 15, dependencies: 14, column_maps: 10, observations: 13 },
    });
  });

  it.each([
    [{ fqn: undefined, name: 5 }, '/project/models/14/fqn'],
    [{ fqn: '"a"."b' }, '/project/models/14/fqn'],
    [{ depends_on: undefined }, '/project/models/14/depends_on'],
    [{ depends_on: ['a', ''] }, '/project/models/14/depends_on/1'],
    [{ kind: 7 }, '/project/models/14/kind'],
  ])('tells apart a model with %j, and reads the rest', (fields, path) => {
    const model = { fqn: '"crm"."core"."new"', kind: 'FULL', depends_on: [], ...fields };
    const { shapeErrors, invalidItems, counts } = read({ models: [...project.models, model] });
    expect(shapeErrors.map((error) => error.path)).toEqual([path]);
    expect(invalidItems).toMatchObject([{ index: 14, code: 'invalid_model' }]);
    expect(counts).toMatchObject({ models: 14 });
  });

  it('refuses another schema, and an export without an environment (C-SQLMESH-1)', () => {
    const paths = (changed: Record<string, unknown>) => declaredFieldErrors(document(changed)).map(({ path }) => path);
    expect(paths({})).toEqual([]);
    expect(paths({ schema: 'service.sqlmesh-project@v2' })).toEqual(['/project/schema']);
    expect(paths({ environment: undefined })).toEqual(['/project/environment']);
    expect(paths({ models: {} })).toEqual(['/project/models']);
    expect(read({ models: undefined }).shapeErrors).toEqual([{ path: '/project/models', message: 'is required' }]);
  });
});
