import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { columnsKey } from '../../shared/domain/sources/openlineage/columns-facet.ts';
import { unresolvedKey } from '../../shared/domain/sources/openlineage/unresolved-columns.ts';
import { uuidOf } from '../../shared/domain/uuid-of.ts';
import { DigestSet } from './digest-set.ts';
import { type ExportedDataset, ExportedEvent, type ExportedOutput, type ExportedSource } from './exported-event.ts';
import type { GraphRow, GraphSink } from './graph-tables.ts';

type Named = { readonly namespace: string; readonly name: string };
type Edge = { readonly statements: number; readonly unresolved: boolean };

/** The edges into one relation, whose events an export has together. */
type Target = { readonly id: string | null; readonly edges: Map<string, Edge> };

/** Makes the rows of a graph from the events of its export, in their order; `end` is to be called after the last. */
export function graphRows(sink: GraphSink) {
  const nodes = describedNodes(sink);
  let target: Target = { id: null, edges: new Map() };
  const endTarget = (): void => {
    for (const [src, edge] of target.edges) sink.edges({ src, dst: target.id, ...edge });
  };
  return {
    add: (line: unknown): void => {
      const { job, inputs, outputs } = v.parse(ExportedEvent, line);
      const sources = inputs.map((input) => [nodes.describe(input), input] as const);
      for (const output of outputs) {
        const id = nodes.describe(output);
        if (id !== target.id) {
          endTarget();
          target = { id, edges: new Map() };
        }
        const doubts = doubtsOf(output);
        for (const [src, input] of sources) state(sink, target, { src, job, doubt: doubts(input) });
        for (const row of waysInto(id, { output, job })) sink.column_edges({ src: nodes.idOf(row.source), ...row.way });
      }
    },
    end: endTarget,
  };
}

/** Ids of relations, each of which is described where it is first met. */
function describedNodes(sink: GraphSink) {
  const seen = new DigestSet();
  const recent = new LRUCache<string, Buffer>({ max: 1_000 });
  const digestOf = ({ namespace, name }: Named): Buffer => {
    const key = JSON.stringify([namespace, name]);
    const digest = recent.get(key) ?? createHash('sha256').update(key).digest().subarray(0, 16);
    recent.set(key, digest);
    return digest;
  };
  return {
    idOf: (dataset: Named): string => uuidOf(digestOf(dataset)),
    describe: (dataset: ExportedDataset): string => {
      const digest = digestOf(dataset);
      const id = uuidOf(digest);
      if (seen.add(digest)) describe(sink, id, dataset);
      return id;
    },
  };
}

function describe(sink: GraphSink, id: string, { namespace, name, facets }: ExportedDataset): void {
  const [whole, part] = [facets.schema, facets[columnsKey]];
  sink.nodes({ id, namespace, name, columns_complete: whole ? true : part ? false : null });
  const columns = (whole ?? part)?.fields ?? [];
  for (const [position, column] of columns.entries())
    sink.columns({ node_id: id, name: column.name, type: column.type ?? null, position });
}

/** What keeps the columns of an input from being known, as text; null where nothing does. */
function doubtsOf({ facets }: ExportedOutput): (input: Named) => string | null {
  const entries = facets[unresolvedKey]?.inputs ?? [];
  return ({ namespace, name }) => {
    const own = entries.filter((entry) => entry.name === name && entry.namespace === namespace);
    return own.length > 0 ? [...new Set(own.map(({ reason }) => reason))].join('; ') : null;
  };
}

type Statement = { readonly src: string; readonly job: Named; readonly doubt: string | null };

function state(sink: GraphSink, { id, edges }: Target, { src, job, doubt }: Statement): void {
  const edge = edges.get(src) ?? { statements: 0, unresolved: false };
  edges.set(src, { statements: edge.statements + 1, unresolved: edge.unresolved || doubt !== null });
  sink.evidence({ src, dst: id, ...jobColumns(job), unresolved: doubt });
}

const jobColumns = ({ namespace, name }: Named) => ({ job_namespace: namespace, job_name: name });

type Mapped = { readonly output: ExportedOutput; readonly job: Named };
type Way = { readonly source: Named; readonly way: Omit<GraphRow<'column_edges'>, 'src'> };

function waysInto(dst: string, { output: { facets }, job }: Mapped): Way[] {
  const { fields = {}, dataset = [] } = facets.columnLineage ?? {};
  const mapped: (readonly [string | null, readonly ExportedSource[]])[] = [
    ...Object.entries(fields).map(([column, { inputFields }]) => [column, inputFields] as const),
    [null, dataset],
  ];
  return mapped.flatMap(([dst_column, sources]) =>
    sources.flatMap((source) =>
      waysOf(source).map((way) => ({
        source,
        way: { src_column: source.field ?? null, dst, dst_column, ...way, ...jobColumns(job) },
      })),
    ),
  );
}

function waysOf({ transformations }: ExportedSource) {
  const all = transformations.length > 0 ? transformations : [{}];
  return all.map(({ type = null, subtype = null, masking = null, description = null }) => ({
    type,
    subtype,
    masking,
    expression: description,
  }));
}
