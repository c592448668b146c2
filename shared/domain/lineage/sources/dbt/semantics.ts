import type { ExposureFacts } from '../../../../contract/impact.ts';
import { exposureFacts, ownersIn } from '../../graph/exposure.ts';
import type { Connector } from '../../names/connector.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import type { DocumentItem } from '../declared/declared.ts';
import type { Model, ModelStatement, UsedColumn } from '../models/model-project.ts';
import type { DbtManifest } from './manifest.ts';
import { dbtRelation } from './relation.ts';
import { type DbtSemantics, type Filter, withMeasures } from './semantic-layer.ts';
import { joinsTimeSpine, type TimeSpine } from './time-spine.ts';

type Place = {
  readonly connector: Connector;
  readonly metadata: DbtManifest['metadata'];
  readonly dialect: SqlDialect;
};

/** Semantic models, metrics and saved queries as consumers with columns, and the relations of exports (C-DBT-9). */
export function semanticConsumers(place: Place, semantics: DbtSemantics, spines: readonly TimeSpine[]): Model[] {
  const { models, metrics, queries } = withMeasures(semantics);
  const modelById = new Map(models.map((one) => [one.key, one]));
  const metricById = new Map(metrics.map((one) => [one.key, one]));
  const quoted = quotedIn(place.dialect);
  const consumer = (
    { key, place: location, value }: DocumentItem<Described>,
    dependsOn: readonly string[],
    statement: ModelStatement,
    definition: object = {},
  ): Model => ({
    ...{ id: key, isModel: true, node: { kind: 'exposure', connectorId: place.connector.id, name: key } },
    ...{ names: [[key]], dependsOn, statement, statementKind: null, addedColumns: [], columns: null, location },
    exposure: factsOf(key, value),
    settings: { values: valuesOf(definition), content: null, template: null },
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
    return [...found].filter((id) => modelById.has(id));
  };
  const groupedBy = (templates: readonly string[], among: readonly string[]): PathColumn[] =>
    templates
      .flatMap((template) => [...template.matchAll(/\b((?:Time)?Dimension|Entity|Metric)\(\s*['"]([^'"]+)['"]/g)])
      .flatMap(([, kind, path = '']) =>
        kind === 'Metric' ? metricsNamed(path) : columnsOfPath(modelById, path.split('__'), among),
      );
  /** A filter by a metric is no dependency in the manifest. */
  const metricsNamed = (column: string): PathColumn[] =>
    metrics.flatMap(({ key: of, value }) => (value.name === column ? [{ of, column }] : []));
  const measuresNamed = (of: string, names: readonly string[]) =>
    (modelById.get(of)?.value.measures ?? []).filter(({ name }) => names.includes(name));
  const ofModels = models.map((item) => {
    const { entities, dimensions, measures, depends_on, node_relation } = item.value;
    const terms = [entities, dimensions, measures].flatMap((list) => list ?? []);
    const selected = terms.map(({ name, expr }) => `${expr ?? quoted(name)} as ${quoted(name)}`);
    const relation = node_relation?.relation_name ?? '';
    const statement = sql(`select ${selected.join(', ')} from ${relation}`);
    return consumer(item, depends_on.nodes ?? [], selected.length > 0 && relation !== '' ? statement : unread);
  });
  const ofMetrics = metrics.map((item) => {
    const { name, depends_on, type, type_params, filter } = item.value;
    const params = type_params?.conversion_type_params;
    const conversion = [params?.base_measure, params?.conversion_measure];
    const measures = [type_params?.measure, ...(type_params?.input_measures ?? []), ...conversion];
    const parts = measures.flatMap((one) => one?.name ?? []);
    const { cumulative_type_params: cumulated, numerator, denominator, metrics: inner } = type_params ?? {};
    const converted = [params?.base_metric, params?.conversion_metric];
    const inputs = [numerator, denominator, cumulated?.metric, ...converted, ...(inner ?? [])];
    const others = inputs.flatMap((one) => one?.name ?? []);
    const among = semanticsOf(depends_on.nodes ?? []);
    const used = [
      ...parts.flatMap((column) =>
        among.flatMap((of) => (measuresNamed(of, [column]).length > 0 ? [{ of, column }] : [])),
      ),
      ...others.flatMap((column) =>
        (depends_on.nodes ?? []).flatMap((of) => (metricById.get(of)?.value.name === column ? [{ of, column }] : [])),
      ),
    ];
    const filters = [filter, ...[...measures, ...inputs].map((one) => one?.filter ?? null)];
    const days = joinsTimeSpine(item.value) ? spines : [];
    const rows = [...groupedBy(filters.flatMap(templatesOf), among), ...days.flatMap(({ columns }) => columns)];
    const members = [...new Set([...used, ...rows].map(({ of }) => of ?? ''))];
    const column = (one: UsedColumn) => `${quoted(one.of ?? '')}.${quoted(one.column)}`;
    const distinct = [...new Set(used.map(column))];
    const value = distinct.length > 1 ? `coalesce(${distinct.join(', ')})` : distinct[0];
    const where = rows.length > 0 ? ` where ${rows.map((one) => `${column(one)} is not null`).join(' and ')}` : '';
    const named = new Map(days.map(({ id, relation }) => [id, `${relation} as ${quoted(id)}`]));
    const from = members.map((id) => named.get(id) ?? quoted(id)).join(', ');
    const statement = sql(`select ${value} as ${quoted(name)} from ${from}${where}`);
    return consumer(
      item,
      used.length > 0 ? members : [...new Set([...(depends_on.nodes ?? []), ...members])],
      value === undefined ? unread : statement,
      { type, type_params, filter, measures: among.flatMap((of) => measuresNamed(of, parts)) },
    );
  });
  const ofQueries = queries.flatMap((item) => {
    const { depends_on, query_params, exports } = item.value;
    const nodes = depends_on.nodes ?? [];
    const among = semanticsOf(nodes);
    const ofMetric = (column: string) => nodes.filter((id) => metricById.get(id)?.value.name === column);
    const grouped = groupedBy([...(query_params?.group_by ?? []), ...templatesOf(query_params?.where ?? null)], among);
    const columns: PathColumn[] = [
      ...(query_params?.metrics ?? []).flatMap((column) => ofMetric(column).map((of) => ({ of, column }))),
      ...grouped,
    ];
    const members = [...new Set([...nodes, ...grouped.map(({ of }) => of ?? '')])];
    const statementOf = (used: readonly UsedColumn[]): ModelStatement =>
      used.length > 0 ? { kind: 'columns', columns: used } : unread;
    const query = consumer(item, members, statementOf(columns), { query_params });
    const statement = statementOf(columns.filter(({ joins }) => !joins));
    const written = (exports ?? []).map(({ name, config }): Model => {
      const named = { database: config?.database, schema: config?.schema_name, identifier: config?.alias || name };
      const { node, names } = dbtRelation(place.connector, place.metadata, {
        ...named,
        columns: null,
        quoting: null,
        relation_name: null,
      });
      const statementKind = config?.export_as === 'view' ? 'create_view' : 'create_table_as';
      return { ...query, id: `${item.key}.${name}`, node, names, statement, statementKind };
    });
    return [query, ...written];
  });
  return [...ofModels, ...ofMetrics, ...ofQueries];
}

/** What decides the values of a member, besides the columns that it uses: no words about it, and nothing that is unset. */
const valuesOf = (definition: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(definition).flatMap(([name, value]) =>
      value ? [[name, JSON.stringify(value, (key, one) => (one === null || inWords.has(key) ? undefined : one))]] : [],
    ),
  );

const inWords: ReadonlySet<string> = new Set(['description', 'label', 'config', 'meta', 'metadata']);

type Described = {
  readonly label?: string | null | undefined;
  readonly meta?: unknown;
  readonly config?: { readonly meta?: unknown } | null | undefined;
};

const factsOf = (key: string, { label, meta, config }: Described): ExposureFacts =>
  exposureFacts({ title: label, tool: key.split('.')[0], owners: ownersIn([config?.meta, meta]) });

/** `joins`: only the rows depend on it, and it is no column of the result. */
type PathColumn = UsedColumn & { readonly joins?: true };

type Semantics = ReadonlyMap<string, DbtSemantics['models'][number]>;

/**
 * The columns that `order__status` or `metric_time` uses: the dimension, of a semantic model that is used or that an
 * entity joins to it, and the entities that join them.
 */
function columnsOfPath(semantics: Semantics, path: readonly string[], among: readonly string[]): PathColumn[] {
  const column = path.at(-1) ?? '';
  if (column === 'metric_time')
    return among.flatMap((of) => timesOf(semantics.get(of)).map((time) => ({ of, column: time })));
  const entitiesOf = (id: string) => semantics.get(id)?.value.entities ?? [];
  const has = (id: string) =>
    [...(semantics.get(id)?.value.dimensions ?? []), ...entitiesOf(id)].some(({ name }) => name === column);
  const own = among.filter(has);
  const joins = path.slice(0, -1);
  const last = joins.at(-1);
  if (own.length > 0 || last === undefined) return own.map((of) => ({ of, column }));
  const isKey = (id: string) =>
    semantics.get(id)?.value.primary_entity === last ||
    entitiesOf(id).some(({ name, type }) => name === last && type !== 'foreign');
  const joined = [...semantics.keys()].filter((id) => has(id) && isKey(id));
  const keys = [...among, ...joined].flatMap((of) =>
    joins.flatMap((entity) =>
      entitiesOf(of).some(({ name }) => name === entity) ? [{ of, column: entity, joins: true }] : [],
    ),
  );
  return [...joined.map((of) => ({ of, column })), ...keys];
}

/** The time dimensions that aggregate the measures of a semantic model. */
function timesOf(item: DbtSemantics['models'][number] | undefined): string[] {
  const { measures, defaults } = item?.value ?? {};
  const own = (measures ?? []).flatMap(({ agg_time_dimension }) => agg_time_dimension ?? []);
  return [...new Set([...own, ...(defaults?.agg_time_dimension ? [defaults.agg_time_dimension] : [])])];
}

const unread: ModelStatement = { kind: 'none', reason: 'semantic_columns_unknown' };

const templatesOf = (filter: Filter): string[] =>
  (filter?.where_filters ?? []).map(({ where_sql_template }) => where_sql_template);

const backticks: ReadonlySet<SqlDialect> = new Set(['bigquery', 'spark', 'databricks', 'hive', 'mysql']);

const quotedIn = (dialect: SqlDialect) => {
  const mark = backticks.has(dialect) ? '`' : '"';
  return (name: string) => mark + name.replaceAll(mark, mark + mark) + mark;
};
