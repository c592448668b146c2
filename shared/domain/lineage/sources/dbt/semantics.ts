import type { Connector } from '../../names/connector.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import type { DocumentItem } from '../declared/declared.ts';
import type { Model, ModelStatement, UsedColumn } from '../models/model-project.ts';
import type { DbtManifest } from './manifest.ts';
import { dbtRelation } from './relation.ts';
import type { DbtSemantics, Filter } from './semantic-layer.ts';

type Place = {
  readonly connector: Connector;
  readonly metadata: DbtManifest['metadata'];
  readonly dialect: SqlDialect;
};

/** Semantic models, metrics and saved queries as consumers with columns, and the relations of exports (C-DBT-9). */
export function semanticConsumers(place: Place, { models, metrics, queries }: DbtSemantics): Model[] {
  const semantics = new Map(models.map((one) => [one.key, one]));
  const metricById = new Map(metrics.map((one) => [one.key, one]));
  const quoted = quotedIn(place.dialect);
  const consumer = (
    { key, place: location }: DocumentItem<unknown>,
    dependsOn: readonly string[],
    statement: ModelStatement,
  ): Model => ({
    ...{ id: key, isModel: true, node: { kind: 'exposure', connectorId: place.connector.id, name: key } },
    ...{ names: [[key]], dependsOn, statement, statementKind: null, addedColumns: [], columns: null, location },
  });
  const sql = (query: string): ModelStatement => ({ kind: 'sql', text: query, dialects: [place.dialect] });
  /** The semantic models that some members use, through metrics. */
  const semanticsOf = (ids: readonly string[]): string[] => {
    const [found, open] = [new Set<string>(), [...ids]];
    for (const id of open) {
      if (found.has(id)) continue;
      found.add(id);
      open.push(...(metricById.get(id)?.value.depends_on.nodes ?? []));
    }
    return [...found].filter((id) => semantics.has(id));
  };
  /** The dimension or entity in `Dimension('order__status')`, of the semantic models that have it. */
  const groupedBy = (templates: readonly string[], among: readonly string[]): UsedColumn[] =>
    templates
      .flatMap((template) => [...template.matchAll(/\b(?:Time)?(?:Dimension|Entity)\(\s*['"]([^'"]+)['"]/g)])
      .flatMap(([, path = '']) => {
        const column = path.split('__').at(-1) ?? path;
        const having = among.filter((id) => {
          const { dimensions, entities } = semantics.get(id)?.value ?? {};
          return [...(dimensions ?? []), ...(entities ?? [])].some(({ name }) => name === column);
        });
        return having.map((of) => ({ of, column }));
      });
  const ofModels = models.map((item) => {
    const { entities, dimensions, measures, depends_on, node_relation } = item.value;
    const terms = [entities, dimensions, measures].flatMap((list) => list ?? []);
    const selected = terms.map(({ name, expr }) => `${expr ?? quoted(name)} as ${quoted(name)}`);
    const relation = node_relation?.relation_name ?? '';
    const statement = sql(`select ${selected.join(', ')} from ${relation}`);
    return consumer(item, depends_on.nodes ?? [], selected.length > 0 && relation !== '' ? statement : unread);
  });
  const ofMetrics = metrics.map((item) => {
    const { name, depends_on, type_params, filter } = item.value;
    const params = type_params?.conversion_type_params;
    const measures = [type_params?.measure, ...(type_params?.input_measures ?? [])];
    const parts = [...measures, params?.base_measure, params?.conversion_measure].flatMap((one) => one?.name ?? []);
    const inputs = [type_params?.numerator, type_params?.denominator, ...(type_params?.metrics ?? [])];
    const others = inputs.flatMap((one) => one?.name ?? []);
    const among = semanticsOf(depends_on.nodes ?? []);
    const used = [
      ...parts.flatMap((column) =>
        among.flatMap((of) =>
          semantics.get(of)?.value.measures?.some((one) => one.name === column) ? [{ of, column }] : [],
        ),
      ),
      ...others.flatMap((column) =>
        (depends_on.nodes ?? []).flatMap((of) => (metricById.get(of)?.value.name === column ? [{ of, column }] : [])),
      ),
    ];
    const rows = groupedBy(templatesOf(filter), among);
    const members = [...new Set([...used, ...rows].map(({ of }) => of ?? ''))];
    const column = (one: UsedColumn) => `${quoted(one.of ?? '')}.${quoted(one.column)}`;
    const distinct = [...new Set(used.map(column))];
    const value = distinct.length > 1 ? `coalesce(${distinct.join(', ')})` : distinct[0];
    const where = rows.length > 0 ? ` where ${rows.map((one) => `${column(one)} is not null`).join(' and ')}` : '';
    const from = members.map(quoted).join(', ');
    const statement = sql(`select ${value} as ${quoted(name)} from ${from}${where}`);
    return consumer(
      item,
      members.length > 0 ? members : (depends_on.nodes ?? []),
      value === undefined ? unread : statement,
    );
  });
  const ofQueries = queries.flatMap((item) => {
    const { depends_on, query_params, exports } = item.value;
    const nodes = depends_on.nodes ?? [];
    const among = semanticsOf(nodes);
    const ofMetric = (column: string) => nodes.filter((id) => metricById.get(id)?.value.name === column);
    const grouped = groupedBy([...(query_params?.group_by ?? []), ...templatesOf(query_params?.where ?? null)], among);
    const columns = [
      ...(query_params?.metrics ?? []).flatMap((column) => ofMetric(column).map((of) => ({ of, column }))),
      ...grouped,
    ];
    const members = [...new Set([...nodes, ...grouped.map(({ of }) => of ?? '')])];
    const statement: ModelStatement = columns.length > 0 ? { kind: 'columns', columns } : unread;
    const query = consumer(item, members, statement);
    const written = (exports ?? []).map(({ name, config }): Model => {
      const named = { database: config?.database, schema: config?.schema_name, identifier: config?.alias || name };
      const { node, names } = dbtRelation(place.connector, place.metadata, {
        ...named,
        columns: null,
        quoting: null,
        relation_name: null,
      });
      const statementKind = config?.export_as === 'view' ? 'create_view' : 'create_table_as';
      return { ...query, id: `${item.key}.${name}`, node, names, statementKind };
    });
    return [query, ...written];
  });
  return [...ofModels, ...ofMetrics, ...ofQueries];
}

const unread: ModelStatement = { kind: 'none', reason: 'semantic_columns_unknown' };

const templatesOf = (filter: Filter): string[] =>
  (filter?.where_filters ?? []).map(({ where_sql_template }) => where_sql_template);

const backticks: ReadonlySet<SqlDialect> = new Set(['bigquery', 'spark', 'databricks', 'hive', 'mysql']);

const quotedIn = (dialect: SqlDialect) => {
  const mark = backticks.has(dialect) ? '`' : '"';
  return (name: string) => mark + name.replaceAll(mark, mark + mark) + mark;
};
