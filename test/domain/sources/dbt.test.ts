import { beforeAll, describe, expect, it } from 'vitest';
import { relationRefOf } from '../../../shared/domain/lineage/graph/node.ts';
import type { Declared } from '../../../shared/domain/lineage/sources/declared/declared.ts';
import { declaredFieldErrors, readDeclared } from '../../../shared/domain/lineage/sources/read-body.ts';
import crm from '../../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import { connectorWith } from '../identity/connectors.ts';
import { declare, derivationOf, scopeOf, tableEdges, valueEdges } from './declare.ts';

/** The fixture, with a model that depends on one of another project. */
const top = crm.nodes['model.crm.top'];
const foreign = { ...top, depends_on: { ...top.depends_on, nodes: [...top.depends_on.nodes, 'model.other.gone'] } };
const manifest = { ...crm, nodes: { ...crm.nodes, 'model.crm.top': foreign } };

const scope = scopeOf(connectorWith({ default_database: 'crm', default_schema: 'core' }));
const document = (changed: Record<string, unknown> = {}) =>
  ({ kind: 'dbt_manifest', manifest: { ...manifest, ...changed } }) as const;
const read = (changed?: Record<string, unknown>) => readDeclared(scope, document(changed));

describe('what a manifest declares', () => {
  let declared: Declared;
  beforeAll(async () => {
    declared = await declare(scope, document());
  });

  it('names models by alias and sources by identifier, and collapses ephemeral models (C-DBT-1, C-DBT-2)', () => {
    expect(tableEdges(declared)).toEqual(
      [
        'crm.erp.acct_v2 -> crm.core.stg_accounts',
        'crm.raw.countries -> crm.core.stg_accounts',
        'crm.erp.payments -> crm.core.stg_payments',
        'crm.core.stg_accounts -> crm.core.accounts',
        'crm.core.stg_payments -> crm.core.accounts',
        'crm.core.stg_payments -> crm.core.not_inlined',
        'crm.core.accounts -> crm.core.wide',
        'crm.core.stg_payments -> crm.core.events',
        'crm.core.accounts -> crm.core."Monthly Report"',
        'crm.core.accounts -> crm.core.scores',
        'crm.erp.payments -> crm.core.scores',
        'crm.core.accounts -> crm.core.uncompiled',
        'crm.core.accounts -> crm.core.leaky',
        'crm.erp.rates -> undeclared read by model.crm.leaky',
        'crm.core.accounts -> crm.core.broken',
        'crm.core.accounts -> crm.snapshots.accounts_history',
        'crm.snapshots.accounts_history -> crm.core.history',
        'crm.core.history -> crm.core.top',
        'crm.core."Monthly Report" -> crm.core.top',
        'crm.core.accounts -> exposure.crm.weekly',
        'crm.core.accounts -> semantic_model.crm.accounts',
        'crm.core."Monthly Report" -> exposure.crm.weekly',
      ].sort(),
    );
  });

  it('maps columns through inlined models', () => {
    expect(valueEdges(declared, 'crm.core.accounts')).toEqual([
      'crm.core.stg_accounts.account_id -> account_id',
      'crm.core.stg_accounts.owner -> owner',
      'crm.core.stg_accounts.country -> country',
      'crm.core.stg_payments.amount -> net',
    ]);
    expect(valueEdges(declared, 'crm.core.not_inlined')).toEqual([
      'crm.core.stg_payments.account_id -> account_id',
      'crm.core.stg_payments.amount -> more',
    ]);
    expect(derivationOf(declared, 'crm.core.not_inlined').columns).toContainEqual(
      expect.objectContaining({ outputColumn: 'more', subtype: 'AGGREGATION' }),
    );
  });

  it('expands a star to the columns that were found for the model before', () => {
    expect(valueEdges(declared, 'crm.core.wide')).toEqual(
      ['account_id', 'owner', 'country', 'net'].map((column) => `crm.core.accounts.${column} -> ${column}`),
    );
    expect(valueEdges(declared, 'crm.core.history')).toEqual([
      'crm.snapshots.accounts_history.account_id -> account_id',
      'crm.snapshots.accounts_history.dbt_valid_from -> since',
    ]);
  });

  it('makes no edge of an incremental model’s read of itself (C-DBT-5)', () => {
    expect(valueEdges(declared, 'crm.core.events')).toEqual([
      'crm.core.stg_payments.id -> id',
      'crm.core.stg_payments.amount -> amount',
    ]);
  });

  it('says that the columns of a window choose its rows and are no part of its value (C-COLUMNS-9)', () => {
    const place = derivationOf(declared, 'crm.core."Monthly Report"').columns.filter(
      (one) => one.outputColumn === 'place',
    );
    expect(place.map((one) => `${one.inputColumn} ${one.type} ${one.subtype}`).sort()).toEqual([
      'country INDIRECT WINDOW',
      'net INDIRECT WINDOW',
    ]);
  });

  it.each([
    ['crm.core.scores', 'non_sql_model'],
    ['crm.core.uncompiled', 'compiled_code_unavailable'],
    ['crm.core.leaky', 'compiled_sql_reads_outside_declared_dependencies'],
    ['exposure.crm.weekly', 'exposure_has_no_columns'],
  ])('guesses no columns of %s: %s (C-DBT-3, C-DECLARED-13, C-DECLARED-14)', (ref, reason) => {
    const { columns, unresolved } = derivationOf(declared, ref);
    expect(columns).toEqual([]);
    expect(unresolved).toEqual([{ outputColumn: null, reason }]);
  });

  it('keeps the parser’s own reason', () => {
    expect(derivationOf(declared, 'crm.core.broken').unresolved).toEqual([
      { outputColumn: null, reason: expect.stringMatching(/parser/) },
    ]);
  });

  it('counts each reason by models, and names them (C-DELIVERY-13)', () => {
    const counts = Object.fromEntries(declared.unresolved.map(({ reason, count }) => [reason, count]));
    expect(counts).toMatchObject({
      non_sql_model: 1,
      compiled_code_unavailable: 1,
      compiled_sql_reads_outside_declared_dependencies: 1,
      dependency_not_in_document: 1,
    });
    expect(counts).not.toHaveProperty('exposure_has_no_columns');
    expect(declared.unresolved).toContainEqual({
      reason: 'non_sql_model',
      count: 1,
      assets: [expect.stringMatching(/^model\./)],
      assets_left_out: 0,
    });
  });

  it('reports no ephemeral model, which is resolved, and has its own words for their columns (C-DBT-2)', () => {
    const text = JSON.stringify([declared.unresolved, declared.derivations]);
    expect(text).not.toContain('embedded');
    expect(declared.unresolved.flatMap(({ reason }) => (/ephemeral_dep/.test(reason) ? [reason] : []))).toEqual([]);
  });

  it('tells producer, place and kind of statement', () => {
    expect(derivationOf(declared, 'crm.core.events')).toMatchObject({
      producer: { namespace: 'crm', name: 'model.crm.events' },
      location: '/manifest/nodes/model.crm.events',
      statementKind: 'merge',
    });
    expect(derivationOf(declared, 'crm.core.stg_payments').statementKind).toBe('create_view');
  });
});

/** A model of another project, which the manifest does not have: a complete snapshot must not retract by it. */
const dangling = {
  path: '/manifest/nodes/model.crm.top/depends_on/nodes/2',
  message: 'must name a node or a source that the manifest has',
};

describe('reading a manifest', () => {
  it('counts without parsing SQL', () => {
    expect(read()).toMatchObject({
      itemCount: 22,
      invalidItems: [],
      shapeErrors: [dangling],
      counts: { models: 15, nodes: 17, column_maps: 12, observations: 21 },
    });
  });

  it.each([
    ['no object', 5, '/manifest/nodes/model.a~1b'],
    ['no resource_type', {}, '/manifest/nodes/model.a~1b/resource_type'],
    ['no dependencies', { resource_type: 'model', name: 'a' }, '/manifest/nodes/model.a~1b/depends_on'],
    ['no name', { resource_type: 'model', depends_on: { nodes: [] } }, '/manifest/nodes/model.a~1b'],
    [
      'a dependency that is no id',
      { resource_type: 'model', name: 'a', depends_on: { nodes: ['model.x', 7] } },
      '/manifest/nodes/model.a~1b/depends_on/nodes/1',
    ],
  ])('tells apart a node with %s, and reads the rest', (_, node, path) => {
    const reading = read({ nodes: { ...manifest.nodes, 'model.a/b': node } });
    expect(reading.shapeErrors.map((error) => error.path)).toEqual([path, dangling.path]);
    expect(reading.invalidItems).toMatchObject([{ index: Object.keys(manifest.nodes).length, code: 'invalid_node' }]);
    expect(reading.counts).toMatchObject({ models: 15 });
  });

  it('does not take a missing map of nodes for an empty project', () => {
    expect(read({ nodes: undefined }).shapeErrors).toEqual([{ path: '/manifest/nodes', message: 'is required' }]);
    expect(read({ nodes: {}, exposures: undefined }).shapeErrors).toEqual([]);
    for (const sources of [undefined, null])
      expect(read({ nodes: {}, sources }).shapeErrors).toEqual([{ path: '/manifest/sources', message: 'is required' }]);
    const { 'model.crm.history': _, ...nodes } = manifest.nodes;
    expect(read({ nodes }).shapeErrors).toContainEqual({
      ...dangling,
      path: '/manifest/nodes/model.crm.top/depends_on/nodes/0',
    });
    expect(declaredFieldErrors(document({ sources: [] }))).toEqual([
      { path: '/manifest/sources', message: 'must be an object' },
    ]);
  });

  it('never repeats a value', () => {
    const { shapeErrors } = read({
      nodes: { a: { resource_type: 'model', name: 'secret', schema: 42, depends_on: {} } },
    });
    expect(JSON.stringify(shapeErrors)).not.toMatch(/secret|42/);
  });

  it('folds what Snowflake’s adapter does not quote', async () => {
    const lake = connectorWith({ kind: 'snowflake', default_database: 'CRM', default_schema: 'CORE' });
    const node = {
      resource_type: 'model',
      database: 'crm',
      schema: 'core',
      name: 'a',
      alias: 'a',
      depends_on: { nodes: ['source.x.y'] },
    };
    const source = { database: 'crm', schema: 'erp', name: 'b', identifier: 'B c' };
    const declared = await declare(scopeOf(lake), {
      kind: 'dbt_manifest',
      manifest: {
        metadata: { adapter_type: 'snowflake' },
        nodes: { 'model.x.a': node },
        sources: { 'source.x.y': source },
      },
    });
    expect(tableEdges(declared)).toEqual(['CRM.ERP."B c" -> CRM.CORE.A']);
  });
});

describe('the columns of an exposure (C-DBT-8)', () => {
  const depends = { depends_on: { nodes: ['model.crm.accounts', 'model.crm.report'] } };
  const weekly = (meta: unknown, more: object = {}) =>
    declare(scope, document({ exposures: { 'exposure.crm.weekly': { ...depends, meta, ...more } } }));
  const used = async (meta: unknown, more?: object) => {
    const { derivations } = await weekly(meta, more);
    return derivations
      .filter(({ output }) => relationRefOf(output) === 'exposure.crm.weekly')
      .map(({ inputs, columns, unresolved }) => [
        inputs.map(relationRefOf).join(' '),
        columns.map((one) => `${relationRefOf(one.input)}.${one.inputColumn}`).join(' '),
        unresolved.map(({ outputColumn, reason, open }) => `${outputColumn} ${reason} ${open?.kind}`).join(' '),
      ]);
  };
  const [accounts, monthly] = ['crm.core.accounts', 'crm.core."Monthly Report"'] as const;
  const rest = [monthly, '', 'null exposure_has_no_columns undefined'];

  it.each([
    ['a list with the names of models', { columns: ['accounts.net', 'model.crm.accounts.owner'] }],
    ['models with their lists', { columns: { accounts: ['net', 'owner'] } }],
    [
      'what Elementary documents',
      {
        referenced_columns: ['net', 'owner'].map((column_name) => ({
          column_name,
          data_type: 'text',
          node: "ref('crm', 'accounts')",
        })),
      },
    ],
  ])('reads %s, and leaves other dependencies open', async (_, meta) => {
    const expected = [[accounts, `${accounts}.net ${accounts}.owner`, ''], rest];
    expect(await used(meta)).toEqual(expected);
    expect(await used(undefined, { config: { meta } })).toEqual(expected);
  });

  it('looks for a column without a model in all of them, by their columns when somebody asks', async () => {
    expect(await used({ columns: ['net'] })).toEqual([
      [`${monthly} ${accounts}`, '', 'net source_column_not_given choice'],
    ]);
    const only = { depends_on: { nodes: ['model.crm.accounts'] } };
    expect(await used({ columns: [{ name: 'net' }] }, only)).toEqual([[accounts, `${accounts}.net`, '']]);
  });

  it.each([[null], [{}], [{ columns: [] }], [{ columns: 5 }], [{ columns: [[], null, '', { column: 7 }] }], ['text']])(
    'says that an exposure has no columns where it names none: %j',
    async (meta) => {
      expect(await used(meta)).toEqual([[`${monthly} ${accounts}`, '', 'null exposure_has_no_columns undefined']]);
    },
  );

  it('takes the tool from the address or the kind, and the owner', async () => {
    const facts = async (more: object) => derivationOf(await weekly({}, more), 'exposure.crm.weekly').exposure;
    const owner = { name: 'Finance', email: 'finance@shop.test' };
    expect(await facts({ owner, type: 'dashboard', label: 'Weekly', url: 'https://shop.cloud.looker.com/1' })).toEqual({
      title: 'Weekly',
      tool: 'looker',
      owners: ['finance@shop.test'],
    });
    expect(
      await facts({ owner: { name: 'Finance' }, type: 'notebook', name: 'weekly', url: 'https://shop.test' }),
    ).toEqual({
      title: 'weekly',
      tool: 'notebook',
      owners: ['Finance'],
    });
    expect(await facts({ meta: { tool: 'Excel' } })).toEqual({ title: null, tool: 'excel', owners: [] });
  });
});
