import { type Connector, platformOf } from '../../names/connector.ts';
import { parseNamespace } from '../../names/namespace.ts';
import { dialectNamed } from '../../sql/dialect.ts';
import type { RelationName, SqlAnalysis, SqlOptions } from '../../sql/types.ts';
import { type JobEvent, type Named, type RunEvent, readKey } from './event.ts';
import { settleColumnSources } from './settle-column-sources.ts';

type IOEvent = RunEvent | JobEvent;

const queryOf = ({ job }: IOEvent): string => job.facets?.sql?.query ?? '';

/** Relations that one text may write: each looks through its text again. */
const mostOutputs = 500;

/** Whether an event names no relation and shows a statement, as the history of a database does. */
export const isOnlyStatement = (event: IOEvent): boolean =>
  (event.inputs ?? []).length + (event.outputs ?? []).length === 0 &&
  !event.job.facets?.lineage &&
  /\S/.test(queryOf(event));

/**
 * The event with the relations of the connector that its statement reads and writes, and their columns
 * (C-OPENLINEAGE-23). It stays as it is if the statement writes none, or is not understood.
 */
export function withStatedRelations<E extends IOEvent>(
  analyse: (sql: string, options: SqlOptions) => readonly SqlAnalysis[],
  event: E,
  connector: Connector,
): E {
  const [namespace] = connector.namespaces;
  if (namespace === undefined) return event;
  const named = event.job.facets?.sql?.dialect ?? parseNamespace(namespace).platform ?? '';
  const dialect = dialectNamed(named) ?? dialectNamed(connector.kind) ?? 'ansi';
  const datasetOf = (relation: RelationName): Named => ({
    namespace,
    name: inDatabase(connector, event.job.facets?.tributary_session?.database, relation).map(partOf).join('.'),
  });
  const found = analyse(queryOf(event), { dialect, columnsOf: () => null });
  const analyses = found.filter(({ target }) => target !== null);
  if (analyses.length === 0) return { ...event, inputs: unloaded(event, found).map(datasetOf) };
  if (analyses.length > mostOutputs) return event;
  const parts = analyses.map((analysis) => ofTarget(event, analysis, { datasetOf, connector }));
  const known = parts.flatMap((one) => one ?? []);
  const [only, ...others] = known;
  if (only === undefined || known.length < parts.length) return event;
  if (others.length === 0) return only;
  return {
    ...event,
    inputs: distinctByName(known.flatMap(({ inputs }) => inputs ?? [])),
    // Of several outputs each has its own inputs; one without any is fed by nothing.
    outputs: known.flatMap(({ inputs = [], outputs = [] }) =>
      inputs.length === 0
        ? []
        : outputs.map((output) => ({
            ...output,
            [readKey]: { ...output[readKey], ownInputs: inputs },
          })),
    ),
  };
}

/** What a statement writes to files. Its rows may also go to the client, as those of a query do. */
const unloaded = (event: IOEvent, found: readonly SqlAnalysis[]): readonly RelationName[] =>
  /\bstdout\b/i.test(queryOf(event)) ? [] : found.flatMap(({ reads }) => reads ?? []);

type Naming = { readonly datasetOf: (relation: RelationName) => Named; readonly connector: Connector };

/** The event as one that writes only the relation of an analysis; null if its relations are not known. */
function ofTarget<E extends IOEvent>(event: E, analysis: SqlAnalysis, { datasetOf, connector }: Naming): E | null {
  const { target, reads } = analysis;
  if (target === null || reads === null) return null;
  const output = datasetOf(target);
  // What an incremental model reads of itself does not feed it.
  const inputs = distinctByName(reads.map(datasetOf)).filter(({ name }) => name !== output.name);
  return settleColumnSources(() => analysis, { ...event, inputs, outputs: [output] }, connector);
}

const distinctByName = <D extends Named>(datasets: readonly D[]): D[] => [
  ...new Map(datasets.map((one) => [one.name, one])).values(),
];

/** A name completed by the database that its statement ran in, which may be another than the connector's default. */
function inDatabase(connector: Connector, database: unknown, relation: RelationName): RelationName {
  const { default_schema: schema } = connector;
  if (typeof database !== 'string' || platformOf(connector).levels?.[0] !== 3) return relation;
  if (relation.length === 1 && schema === null) return relation;
  const before = [database, ...(schema === null ? [] : [schema])].map((text) => ({ text, quoted: true }));
  return [...before.slice(0, Math.max(0, 3 - relation.length)), ...relation];
}

const partOf = ({ text, quoted }: RelationName[number]): string => (quoted ? `"${text.replaceAll('"', '""')}"` : text);
