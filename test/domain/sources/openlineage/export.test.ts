import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ConnectorId, WorkspaceId } from '../../../../shared/contract/ids.ts';
import type { ColumnMapping, Derivation, OpenColumns } from '../../../../shared/domain/lineage/graph/derivation.ts';
import { type Node, nodeOf, ownerOf, urnOf } from '../../../../shared/domain/lineage/graph/node.ts';
import { type Connector, connectorDefaults } from '../../../../shared/domain/lineage/names/connector.ts';
import { datasetOf } from '../../../../shared/domain/lineage/names/dataset-of-node.ts';
import { type ExportContext, exportEvents } from '../../../../shared/domain/lineage/sources/openlineage/export.ts';
import { validateEvent } from '../../../../shared/domain/lineage/sources/openlineage/validate.ts';
import { found, load, loadOwn, own, connectors as owners } from '../shared-fixtures.ts';
import { readBack, statementOf } from './read-back.ts';

const warehouse: Connector = {
  ...connectorDefaults,
  datahub_platform_instances: [],
  id: v.parse(ConnectorId, 'warehouse'),
  workspace_id: v.parse(WorkspaceId, 'acme'),
  kind: 'postgres',
  name: 'Warehouse',
  namespaces: ['postgres://db.acme.test:5432'],
};
const connectors = [warehouse];
const context: ExportContext = {
  nameOf: (node) => datasetOf(node.kind === 'relation' ? warehouse : null, node),
  asOf: '2026-03-01T10:00:00.000Z',
  profile: 'job',
};

const relation = (ref: string): Node => ({ kind: 'relation', connectorId: warehouse.id, ref });
const nodes: Node[] = [
  relation('shop.public.orders'),
  relation('shop.public."Order Items"'),
  relation('shop."a.b"."say ""hi"""'),
  { kind: 'dataset', namespace: 'kafka://broker:9092', name: 'clicks' },
  { kind: 'dataset', namespace: 'file', name: '/srv/a.b/"c"' },
  { kind: 'datahub', urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,db.t%2C1,DEV)' },
];
const exposure: Node = { kind: 'exposure', connectorId: warehouse.id, name: 'dashboard' };

const node = fc.constantFrom(...nodes);
const column = fc.constantFrom('id', 'Total', '__proto__', 'a.b', '');
const way = fc.record({
  type: fc.constantFrom('DIRECT' as const, 'INDIRECT' as const),
  subtype: fc.constantFrom(null, 'IDENTITY', 'FILTER', 'CUSTOM'),
  masking: fc.boolean(),
});
const mapping: fc.Arbitrary<ColumnMapping> = fc.oneof(
  fc
    .record({ input: node, inputColumn: column, outputColumn: column, way })
    .map(({ way: one, ...ends }) => ({ ...ends, ...one })),
  fc.record({ input: node, inputColumn: column, subtype: fc.constantFrom(null, 'JOIN') }).map((wide) => ({
    ...wide,
    outputColumn: null,
    type: 'INDIRECT' as const,
    masking: false,
  })),
);
const open: fc.Arbitrary<OpenColumns | null> = fc.option(
  fc.oneof(
    fc
      .record({ of: node.map(urnOf), except: fc.array(column), renamed: fc.array(fc.tuple(column, column)) })
      .map((star) => ({ kind: 'star' as const, star })),
    fc.record({
      kind: fc.constant('choice' as const),
      options: fc.array(
        fc.record({ of: node.map(urnOf), column, way }).map(({ way: one, ...rest }) => ({ ...rest, ...one })),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  ),
);
const derivation: fc.Arbitrary<Derivation> = fc
  .record({
    output: node,
    more: fc.array(node, { maxLength: 3 }),
    columns: fc.array(mapping, { maxLength: 5 }),
    unresolved: fc.array(
      fc
        .record({ outputColumn: fc.option(column), reason: fc.constantFrom('unknown_star', 'syntax: near `x`'), open })
        .map(({ open, ...rest }) => ({ ...rest, ...(open && { open }) })),
      { maxLength: 2 },
    ),
    producer: fc.record({ namespace: fc.constantFrom('n', 'm'), name: fc.constantFrom('j', 'k') }),
  })
  .map(({ more, columns, ...rest }) => ({
    ...rest,
    inputs: [...more, ...columns.map(({ input }) => input)],
    columns,
    statementKind: null,
    principal: null,
    location: '',
  }))
  .filter(({ inputs }) => inputs.length > 0);

describe('exported events', () => {
  it.each(['job', 'run'] as const)('say the same in the %s profile when they are read back (C-EXPORT-4)', (profile) => {
    fc.assert(
      fc.property(fc.array(derivation, { maxLength: 6 }), (derivations) => {
        const events = exportEvents({ ...context, profile }, derivations);
        expect(statementOf(readBack(events, connectors))).toEqual(statementOf(derivations));
      }),
      { numRuns: 500 },
    );
  });

  const one = (output: Node, ...inputs: Node[]): Derivation => ({
    output,
    inputs,
    columns: [],
    unresolved: [],
    producer: { namespace: 'n', name: 'j' },
    statementKind: null,
    principal: null,
    location: '',
  });
  const [a, b, c] = [relation('shop.public.a'), relation('shop.public.b'), relation('shop.public.c')];

  it('carry the lists of columns of both ends, if they are complete', () => {
    const columnsOf = (one: Node) =>
      one === a
        ? {
            columns: [
              { name: 'id', type: 'bigint' },
              { name: 'x', type: null },
            ],
            stars: [],
            complete: true,
          }
        : null;
    const events = exportEvents({ ...context, columnsOf }, [one(b, a), one(a, c)]);
    expect(
      events.flatMap(({ inputs, outputs }) => [...inputs, ...outputs].map((one) => one.facets?.schema?.fields)),
    ).toEqual([
      [{ name: 'id', type: 'bigint' }, { name: 'x' }],
      undefined,
      undefined,
      [{ name: 'id', type: 'bigint' }, { name: 'x' }],
    ]);
    for (const event of events) expect(validateEvent(event)).toMatchObject({ valid: true, facetFindings: [] });
  });

  it('are one a job and downstream dataset', () => {
    const events = exportEvents(context, [one(c, b), one(b, a), one(c, a)]);
    expect(
      events.map(({ inputs, outputs }) => [inputs.map(({ name }) => name), outputs.map(({ name }) => name)]),
    ).toEqual([
      [['shop.public.a', 'shop.public.b'], ['shop.public.c']],
      [['shop.public.a'], ['shop.public.b']],
    ]);
    expect(events[0]?.schemaURL).toMatch(/#\/\$defs\/JobEvent$/);
  });

  it('name the relations of a connector without a namespace, and its exposures, and read the names again (C-EXPORT-5)', () => {
    const unnamed = { ...warehouse, namespaces: [] };
    const derivations = [one(exposure, a, b), one(c, a)];
    const events = exportEvents({ ...context, nameOf: (node) => datasetOf(unnamed, node) }, derivations);
    expect(events.map(({ outputs }) => outputs.map(({ namespace, name }) => [namespace, name]))).toEqual([
      [['tributary:exposures:tributary://warehouse', 'dashboard']],
      [['tributary://warehouse', 'shop.public.c']],
    ]);
    expect(statementOf(readBack(events, [unnamed]))).toEqual(statementOf(derivations));
    const claiming = { ...unnamed, id: v.parse(ConnectorId, 'other'), namespaces: ['tributary://warehouse'] };
    const urns = readBack(events, [claiming]).flatMap(({ inputs, output }) => [...inputs, output].map(urnOf));
    expect(new Set(urns.map((urn) => ownerOf(nodeOf(urn))))).toEqual(new Set(['other']));
  });

  const documents = [
    ...own.map(([kind, path]) => [kind, path, () => loadOwn(kind, path)] as const),
    ...found
      .filter(([, path]) => !path.includes('large-3000'))
      .map(([kind, path]) => [kind, path, async () => (await load(kind, path)).declared] as const),
  ];
  it.each(documents)(
    'of the declarations of %s %s mean the same when they are read back',
    async (_kind, _path, documented) => {
      const declared = await documented();
      const nameOf = (node: Node) => datasetOf(owners.find(({ id }) => id === ownerOf(node)) ?? null, node);
      const events = exportEvents({ ...context, nameOf }, declared.derivations);
      expect(events.length).toBeGreaterThan(0);
      expect(statementOf(readBack(events, owners))).toEqual(statementOf(declared.derivations));
    },
  );
});
