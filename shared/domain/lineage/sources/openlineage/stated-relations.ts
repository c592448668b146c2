import { type Connector, platformOf } from '../../names/connector.ts';
import { parseNamespace } from '../../names/namespace.ts';
import { dialectNamed } from '../../sql/dialect.ts';
import type { RelationName, SqlAnalysis, SqlOptions } from '../../sql/types.ts';
import type { JobEvent, Named, RunEvent } from './event.ts';

type IOEvent = RunEvent | JobEvent;

const queryOf = ({ job }: IOEvent): string => job.facets?.sql?.query ?? '';

/** Whether an event names no relation and shows a statement, as the history of a database does. */
export const isOnlyStatement = (event: IOEvent): boolean =>
  (event.inputs ?? []).length + (event.outputs ?? []).length === 0 &&
  !event.job.facets?.lineage &&
  /\S/.test(queryOf(event));

/**
 * The event with the relations of the connector that its statement reads and writes (C-OPENLINEAGE-23). It stays as it
 * is if the statement writes none, or is not understood.
 */
export function withStatedRelations<E extends IOEvent>(
  analyse: (sql: string, options: SqlOptions) => SqlAnalysis,
  event: E,
  connector: Connector,
): E {
  const [namespace] = connector.namespaces;
  if (namespace === undefined) return event;
  const named = event.job.facets?.sql?.dialect ?? parseNamespace(namespace).platform ?? '';
  const dialect = dialectNamed(named) ?? dialectNamed(connector.kind) ?? 'ansi';
  const { target, reads } = analyse(queryOf(event), { dialect, columnsOf: () => null });
  if (target === null || reads === null) return event;
  const datasetOf = (relation: RelationName): Named => ({
    namespace,
    name: inDatabase(connector, event.job.facets?.tributary_session?.database, relation).map(partOf).join('.'),
  });
  const output = datasetOf(target);
  const inputs = new Map(reads.map(datasetOf).map((one) => [one.name, one]));
  // What an incremental model reads of itself does not feed it.
  inputs.delete(output.name);
  return { ...event, inputs: [...inputs.values()], outputs: [output] };
}

/** A name completed by the database that its statement ran in, which may be another than the connector's default. */
function inDatabase(connector: Connector, database: unknown, relation: RelationName): RelationName {
  const { default_schema: schema } = connector;
  if (typeof database !== 'string' || platformOf(connector).levels?.[0] !== 3) return relation;
  if (relation.length === 1 && schema === null) return relation;
  const before = [database, ...(schema === null ? [] : [schema])].map((text) => ({ text, quoted: true }));
  return [...before.slice(0, Math.max(0, 3 - relation.length)), ...relation];
}

const partOf = ({ text, quoted }: RelationName[number]): string => (quoted ? `"${text.replaceAll('"', '""')}"` : text);
