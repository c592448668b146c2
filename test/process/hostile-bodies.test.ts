import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { globs, scopeGlobs } from '../../shared/contract/glob.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { limits } from '../../shared/contract/limits.ts';
import { PutPolicy } from '../../shared/contract/policy.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { inflated } from '../../shared/domain/base/body.ts';
import { readJson } from '../../shared/domain/base/json/read-json.ts';
import { nameTails } from '../../shared/domain/lineage/graph/name-parts.ts';
import { type Connector, connectorDefaults } from '../../shared/domain/lineage/names/connector.ts';
import { parseFieldUrn } from '../../shared/domain/lineage/names/datahub-urn.ts';
import { parseNamespace } from '../../shared/domain/lineage/names/namespace.ts';
import { splitName } from '../../shared/domain/lineage/names/relation-ref.ts';
import { statementKindOf } from '../../shared/domain/lineage/sources/openlineage/name-rules.ts';
import { readDeclared, readDeclaredBody } from '../../shared/domain/lineage/sources/read-body.ts';
import { analyseSql } from '../../shared/domain/lineage/sql/analyse-sql.ts';
import { expectGrowth, processorTime } from '../support/processor-time.ts';

const parser = await loadSqlParser();
const connector: Connector = {
  ...connectorDefaults,
  id: 'c' as ConnectorId,
  workspace_id: 'w' as WorkspaceId,
  kind: 'postgres',
  name: 'warehouse',
  namespaces: [],
  datahub_platform_instances: [],
};

type Manifest = {
  readonly nodes: Readonly<Record<string, object>>;
  readonly sources: Readonly<Record<string, object>>;
};

const model = (name: string, dependsOn: readonly string[], sql: string, materialized = 'ephemeral') => [
  `model.p.${name}`,
  {
    resource_type: 'model',
    name,
    alias: name,
    database: 'd',
    schema: 's',
    config: { materialized },
    depends_on: { nodes: dependsOn },
    compiled_code: sql,
  },
];
const source = { database: 'd', schema: 's', identifier: 't', name: 't' };

/** Ephemeral models, each of the one before, and a table of the last. */
function chain(length: number, select: (before: string) => string): Manifest {
  const inner = Array.from({ length }, (_, i) => model(`e${i + 1}`, [`model.p.e${i}`], select(`__dbt__cte__e${i}`)));
  const last = model('last', [`model.p.e${length}`], select(`__dbt__cte__e${length}`), 'table');
  const nodes = Object.fromEntries([model('e0', ['source.p.t'], 'select a, b from d.s.t'), ...inner, last]);
  return { nodes, sources: { 'source.p.t': source } };
}

function derived(manifest: Manifest) {
  const reading = readDeclared(
    { connector, connectors: [connector], importSource: '' },
    { kind: 'dbt_manifest', manifest: { metadata: { adapter_type: 'postgres' }, ...manifest } },
  );
  return reading.derive({ analyse: (sql, options) => analyseSql(parser, sql, options), knownColumns: () => null });
}

const doubling = (before: string) =>
  `select x.a || y.a as a, x.b from ${before} x join ${before} y on x.a = y.b where x.b > 0`;

describe('a chain of ephemeral models', () => {
  it('costs in proportion to its length, though each names the one before twice', () => {
    derived(chain(40, doubling));
    expectGrowth([() => derived(chain(50, doubling)), () => derived(chain(200, doubling))], { factor: 10, noise: 100 });
  });

  it('says each column once, through 200 models', () => {
    const [derivation, ...others] = derived(chain(200, doubling)).derivations;
    expect(others).toEqual([]);
    const values = derivation?.columns.filter(({ outputColumn, type }) => outputColumn === 'a' && type === 'DIRECT');
    expect(values?.map(({ inputColumn, subtype }) => [inputColumn, subtype])).toEqual([['a', 'TRANSFORMATION']]);
  });

  it('does not double the columns of a star without end', () => {
    const chains = (count: number): Manifest => {
      const all = Array.from({ length: count }, (_, k) =>
        Object.entries(chain(17, (before) => `select *, * from ${before}`).nodes).map(([id, node]) => {
          const renamed = JSON.stringify([id, node]).replaceAll(/\b(e\d+|last)\b|(?<=cte__)(e\d+)/g, `$1$2_${k}`);
          return JSON.parse(renamed) as [string, object];
        }),
      );
      return { nodes: Object.fromEntries(all.flat()), sources: { 'source.p.t': source } };
    };
    expectGrowth([() => derived(chains(2)), () => derived(chains(8))], { factor: 3, noise: 200 });
  });

  it('is refused at its place if it multiplies dependencies beyond all measure (C-DECLARED-16)', () => {
    const sources = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`source.p.t${i}`, source]));
    const readers = Array.from({ length: 2_000 }, (_, i) => model(`m${i}`, ['model.p.e'], '', 'table'));
    const nodes = Object.fromEntries([model('e', Object.keys(sources), ''), ...readers]);
    expect(() => derived({ nodes, sources })).toThrow(Problem);
  });

  it('may depend on more than a call takes arguments', () => {
    const one = model('m', Array(200_000).fill('model.p.e0'), '', 'table');
    expect(derived({ nodes: Object.fromEntries([model('e0', [], ''), one]), sources: {} }).derivations).toEqual([]);
  });
});

describe('a model of many relations', () => {
  it('looks each of them up once', () => {
    const wide = (count: number): Manifest => {
      const sources = Array.from({ length: count }, (_, i) => [`source.p.t${i}`, { ...source, schema: `s${i}` }]);
      const joins = sources.map((_, i) => `select a from d.s${i}.t`).join(' union all ');
      const reader = model(
        'm',
        sources.map(([id]) => String(id)),
        joins,
        'table',
      );
      return { nodes: Object.fromEntries([reader]), sources: Object.fromEntries(sources) };
    };
    derived(wide(100));
    expectGrowth([() => derived(wide(200)), () => derived(wide(800))], { factor: 10, noise: 100 });
  });
});

describe('four times the text', () => {
  it.each<readonly [string, (text: string) => unknown, (count: number) => string]>([
    [
      'of a DataHub field path',
      parseFieldUrn,
      (n) => `urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:x,y,PROD),[${'[type='.repeat(n)})`,
    ],
    ['of quotes in a name', splitName, (n) => '"'.repeat(4 * n)],
    ['of brackets in a name', splitName, (n) => '['.repeat(4 * n)],
    ['of quotes and dots in a name', splitName, (n) => '"a".'.repeat(n)],
    ['of slashes in a namespace', (text) => parseNamespace(text).instance, (n) => `s3://a${'/'.repeat(4 * n)}b`],
    ['of parts of a name', nameTails, (n) => 'a_"B'.repeat(n)],
    ['of a statement that begins a table again and again', statementKindOf, (n) => `create ${'table '.repeat(n)}`],
    ['of JSON that opens and never closes', (text) => readJson(Buffer.from(text)), (n) => '{"a":['.repeat(n)],
  ])('%s costs about four times as much', (_, read, text) => {
    const [short, long] = [text(12_500), text(50_000)];
    read(long);
    expectGrowth([() => read(short), () => read(long)], { factor: 10, noise: 40 });
  });
});

describe('the patterns of a policy', () => {
  const name = (i: number, length: number) => 'a'.repeat(length) + i;
  const hostile = Array.from({ length: 100 }, (_, i) => `${'a*'.repeat(78)}${i}b`);

  it('are matched in one pass over a name, however they are written', () => {
    const matches = scopeGlobs(hostile);
    matches(name(0, 4_000));
    let i = 0;
    const read = (length: number) => () => Array.from({ length: 20 }, () => matches(name(++i, length)));
    expectGrowth([read(1_000), read(4_000)], { factor: 10, noise: 40 });
  });

  it('are asked once of a name that comes again', () => {
    const matches = globs(hostile);
    const first = processorTime(() => Array.from({ length: 40 }, (_, i) => matches(name(i, 2_000 + Math.random()))));
    const repeated = processorTime(() => Array.from({ length: 40 }, () => matches(name(0, 2_000))));
    expect(repeated).toBeLessThan(first / 4 + 5);
  });

  it('have a bound together (C-POLICY-14)', () => {
    const withPatterns = (count: number) => ({
      workspace_id: 'ws_1',
      filters: {
        schema_scope: { include: Array(count / 2).fill('x'.repeat(400)), exclude: [] },
        principals: { mode: 'exclude', patterns: Array(count / 2).fill('y'.repeat(400)), unmatched: 'admit' },
        statement_kinds: [],
        provider_rules: [],
      },
    });
    const most = limits.policy.patternCharacters / 400;
    expect(v.safeParse(PutPolicy, withPatterns(most)).success).toBe(true);
    expect(v.safeParse(PutPolicy, withPatterns(most + 2)).issues?.[0].path?.map(({ key }) => key)).toEqual(['filters']);
  });
});

describe('a document that gzip has made small', () => {
  const read = (text: string) => readDeclaredBody('datahub_catalog', inflated([gzipSync(text)]));

  it('is not JSON if it nests more brackets than the limit, at any place (C-LIMIT-10)', async () => {
    const deep = '['.repeat(2_000_000);
    for (const text of [deep, `{"export":${deep}`, `{"export":[${deep}`, `{"export":{"lineage":[{"a":${deep}`])
      expect((await read(text)).ok).toBe(false);
  });

  it('costs in proportion to the blanks that it holds', async () => {
    const costOf = async (blanks: number) => {
      const text = ' '.repeat(blanks);
      const times: number[] = [];
      for (let attempt = 0; attempt < 3; attempt++) {
        const before = process.cpuUsage();
        expect((await read(text)).ok).toBe(false);
        const { user, system } = process.cpuUsage(before);
        times.push((user + system) / 1000);
      }
      return Math.min(...times);
    };
    const short = await costOf(2 ** 21);
    expect(await costOf(2 ** 24)).toBeLessThan(20 * short + 100);
  });

  it('may be nested as deeply as all JSON', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect((await read(`{"export":${nested(limits.json.nesting - 1)}}`)).ok).toBe(true);
    expect((await read(`{"export":${nested(limits.json.nesting)}}`)).ok).toBe(false);
    expect(readJson(Buffer.from(nested(limits.json.nesting))).ok).toBe(true);
    expect(readJson(Buffer.from(nested(limits.json.nesting + 1))).ok).toBe(false);
  });

  it.each([
    ['many items', `{"export":[${'1,'.repeat(limits.declared.items)}1]}`],
    ['a large item', `{"export":[[${'{},'.repeat(limits.declared.itemBytes / 3)}1]]}`],
    ['much beside its items', `{"export":{"a":"${'x'.repeat(limits.declared.itemBytes)}"}}`],
    ['a list for its body', `[${'[],'.repeat(limits.declared.itemBytes / 3 + 1)}1]`],
  ])('is refused for %s before it is built (C-DECLARED-15)', async (_, text) => {
    await expect(read(text)).rejects.toThrow(Problem);
  });
});

describe('names and pairs that multiply', () => {
  it('are left out with their reason, and the table stays (C-DECLARED-16)', () => {
    const long = 'x'.repeat(100_000);
    const users = Array.from({ length: 50 }, (_, i) =>
      model(`m${i}`, ['model.p.e'], 'select * from __dbt__cte__e', 'table'),
    );
    const nodes = Object.fromEntries([model('e', ['source.p.t'], `select a as ${long}, b from d.s.t`), ...users]);
    const { derivations } = derived({ nodes, sources: { 'source.p.t': source } });
    expect(derivations).toHaveLength(users.length);
    expect(JSON.stringify(derivations)).not.toContain(long);
  });

  it('are counted before they are made from the fields of a catalog (C-DECLARED-16)', () => {
    const urn = (table: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,d.s.${table},PROD)`;
    const fields = (table: string) =>
      Array.from({ length: 2_000 }, (_, i) => `urn:li:schemaField:(${urn(table)},c${i})`);
    const entry = {
      upstreamUrn: urn('a'),
      downstreamUrn: urn('b'),
      fineGrainedLineages: [{ upstreams: fields('a'), downstreams: fields('b') }],
    };
    const reading = readDeclared(
      { connector, connectors: [connector], importSource: '' },
      { kind: 'datahub_catalog', export: [entry] },
    );
    const [derivation] = reading.derive({ analyse: () => raise(), knownColumns: () => null }).derivations;
    expect(derivation?.columns).toEqual([]);
    expect(derivation?.unresolved).toEqual([{ outputColumn: null, reason: 'too_many_column_pairs' }]);
  });
});

function raise(): never {
  throw new Error('a catalog has no SQL');
}
