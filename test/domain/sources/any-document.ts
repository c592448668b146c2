import fc from 'fast-check';
import type { DeclaredKind } from '../../../shared/contract/vocabulary.ts';

const refs = fc.constantFrom('model.a', 'model.b', 'source.s', 'metric.m', '1', 'constructor', '__proto__', 'nodes');
const odd = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' });
const text = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', 'main', 'select 1', '', 'é"\\') }, odd);
const fqn = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('"a"."b"', 'c', '"d') }, odd);
const urn = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('urn:li:dataset:(urn:li:dataPlatform:duckdb,a.b,PROD)', 'urn:li:x:1', 'z') },
  odd,
);
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary }, odd as fc.Arbitrary<T>);
const record = (shape: Record<string, fc.Arbitrary<unknown>>) => some(fc.record(shape, { requiredKeys: [] }));
const list = (item: fc.Arbitrary<unknown>) => some(fc.array(item, { maxLength: 4 }));
const map = (item: fc.Arbitrary<unknown>) => some(fc.dictionary(refs, item, { maxKeys: 4 }));

const dependsOn = record({ nodes: list(refs), macros: odd });
const node = record({
  resource_type: some(fc.constantFrom('model', 'seed', 'snapshot', 'test')),
  name: text,
  alias: text,
  depends_on: dependsOn,
  compiled_code: text,
  raw_code: odd,
  config: record({ materialized: text, contract: record({ enforced: fc.boolean(), x: odd }), meta: odd }),
  columns: map(record({ name: text, data_type: text, description: odd })),
});
/** Documents of each tool: mostly well-formed, with odd values anywhere. */
export const documents = {
  dbt_manifest: record({
    metadata: record({ adapter_type: text, quoting: odd, env: odd }),
    nodes: map(node),
    sources: map(record({ name: text, identifier: text, description: odd })),
    exposures: map(record({ depends_on: dependsOn, url: odd })),
    metrics: map(record({ depends_on: dependsOn })),
    macros: map(odd),
    docs: odd,
    constructor: odd,
  }),
  sqlmesh_project: record({
    schema: some(fc.constant('service.sqlmesh-project@v1')),
    environment: text,
    dialect: text,
    project: record({ name: text, x: odd }),
    models: list(record({ fqn, kind: text, depends_on: list(fqn), rendered_sql: text, columns: odd })),
    external_models: list(record({ fqn, columns: map(text), x: odd })),
    metadata: odd,
  }),
  datahub_catalog: fc.oneof(
    list(entry()),
    record({ lineage: list(entry()), edges: list(entry()), entities: list(odd), generated: odd }),
  ),
};
function entry() {
  const fine = record({ upstreams: list(urn), downstreams: list(urn), transformOperation: text, x: odd });
  return record({ upstreamUrn: urn, downstreamUrn: urn, fineGrainedLineages: list(fine), x: odd });
}

const fields = { dbt_manifest: 'manifest', sqlmesh_project: 'project', datahub_catalog: 'export' };
const bodyOf = (kind: DeclaredKind) =>
  fc
    .record(
      {
        workspace_id: text,
        connector_id: fc.constant('c'),
        completeness: fc.constantFrom('complete', 'partial'),
        document: documents[kind],
        other: odd,
      },
      { requiredKeys: ['workspace_id', 'connector_id', 'document'] },
    )
    .map(({ document, ...rest }) => ({ ...rest, [fields[kind]]: document }));
const kinds = fc.constantFrom<DeclaredKind[]>('dbt_manifest', 'sqlmesh_project', 'datahub_catalog');
export const bodies = kinds.chain((kind) => bodyOf(kind).map((body) => ({ kind, body })));
