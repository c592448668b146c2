type Field = Readonly<Record<string, unknown>>;

/** Fields of other tools' documents, for the API description only: an item of another form is counted, not refused. */
const fields = (description: string, properties: Readonly<Record<string, string | Field>>): Field => ({
  description,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, typeof one === 'string' ? { description: one } : one]),
  ),
});
const list = (items: Field): Field => ({ description: 'A list.', items });
/** A list that has the request refused where it is none. */
const strictList = (items: Field): Field => ({ type: 'array', items });
const byName = (description: string, additionalProperties: Field): Field => ({ description, additionalProperties });
/** A map that has the request refused where it is none. */
const strictByName = (...parts: Parameters<typeof byName>): Field => ({
  type: ['object', 'null'],
  ...byName(...parts),
});

const columnTypes = 'Types by the names of the columns: all that there are, or left out.';

export const sqlmeshModel = fields('A model.', {
  fqn: 'Its name, quoted and whole: "catalog"."schema"."name".',
  kind: 'FULL, VIEW, INCREMENTAL_BY_TIME_RANGE, EMBEDDED, SEED …; or an object with a name.',
  depends_on: list({ description: 'The fqn of a model or an external one.' }),
  language: 'sql, python or seed.',
  dialect: 'Dialect of rendered_sql, if it differs from that of the project.',
  rendered_sql: 'Its query without macros. Tables are named as fqn or as physical_table.',
  physical_table: 'The table that a plan made for it, or null.',
  columns: columnTypes,
  columns_to_types: 'As columns.',
  own_columns: 'The columns that its settings name, such as a unique key: its next run needs them.',
  data_hash:
    'SQLMesh’s digest of everything that determines its data: proves that a seed or a Python model is unchanged.',
});
export const sqlmeshExternal = fields('A table that the project reads and does not make.', {
  fqn: 'Its name, quoted and whole.',
  columns: columnTypes,
});
export const sqlmeshFormat: Field = {
  type: 'object',
  required: ['schema', 'environment'],
  ...fields('A SQLMesh project. `tributary-sqlmesh-export` writes it.', {
    schema: { const: 'service.sqlmesh-project@v1' },
    project: fields('The project.', { name: 'Its name.' }),
    environment: {
      type: 'string',
      pattern: '\\S',
      description: 'Part of the scope: a snapshot of prod does not retract evidence of dev.',
    },
    dialect: { type: ['string', 'null'], description: 'SQL dialect of the project.' },
    models: strictList(sqlmeshModel),
    external_models: { ...strictList(sqlmeshExternal), type: ['array', 'null'] },
  }),
};

export const fineGrainedLineage = fields(
  'Column lineage: target columns and the columns that they are computed from.',
  {
    upstreams: list({ description: 'urn:li:schemaField:(DATASET,COLUMN)' }),
    downstreams: list({ description: 'urn:li:schemaField:(DATASET,COLUMN)' }),
    transformOperation: 'The transformation, as free text.',
  },
);
export const datahubEntry = fields('One dataset feeds another.', {
  upstreamUrn: 'urn:li:dataset:(urn:li:dataPlatform:PLATFORM,NAME,ENV)',
  downstreamUrn: 'urn:li:dataset:(urn:li:dataPlatform:PLATFORM,NAME,ENV)',
  fineGrainedLineages: list(fineGrainedLineage),
});
const owners = list({ description: 'The URN of a user or a group.' });
export const datahubDataset = fields('A dataset with its columns and owners.', {
  urn: 'Its URN.',
  owners,
  schemaMetadata: fields('The aspect of that name.', {
    fields: list(fields('A column.', { fieldPath: 'Its name.', nativeDataType: 'Its type.' })),
  }),
});
export const datahubExposure = fields('A chart or a dashboard.', {
  urn: 'urn:li:chart:(TOOL,ID) or urn:li:dashboard:(TOOL,ID)',
  title: 'Its title.',
  owners,
  inputs: list({ description: 'The URN of a dataset, a chart or a dashboard that it reads or shows.' }),
  fields: list(
    fields('A field that it shows.', { fieldPath: 'Its name.', schemaFieldUrn: 'urn:li:schemaField:(DATASET,COLUMN)' }),
  ),
});
export const datahubFormat: Field = {
  ...fields('Lineage of a DataHub: a list of entries, or an object. `tributary-datahub-export` writes it.', {
    lineage: strictList(datahubEntry),
    edges: strictList(datahubEntry),
    exposures: strictList(datahubExposure),
    datasets: { description: 'Datasets with their columns and owners.', items: datahubDataset },
  }),
  anyOf: [strictList(datahubEntry), { type: 'object' }],
};

const dependsOn = fields('What it reads.', { nodes: list({ description: 'The id of a node or a source.' }) });
const quoting = 'Whether database, schema and identifier are quoted.';
const relationNames = {
  database: 'Its database.',
  schema: 'Its schema.',
  alias: 'Its name in the database.',
  identifier: 'The name of a source in the database.',
  name: 'Its name in the project.',
  relation_name: 'The name as it is written into SQL.',
};
const columns = byName('Documented columns.', fields('A column.', { name: 'Its name.', data_type: 'Its type.' }));
export const dbtModel = fields('A model, seed or snapshot.', {
  ...relationNames,
  resource_type: 'model, seed or snapshot; others are passed over.',
  depends_on: dependsOn,
  defer_relation: fields('The relation that a statement compiled with `--defer` reads in its place.', relationNames),
  path: 'Its file, from the folder of models.',
  original_file_path: 'Its file, from the folder of the project.',
  contract: fields('Its contract before dbt 1.10.', {
    enforced: 'True: the documented columns are all that there are.',
  }),
  columns,
  meta: 'Metadata; `owner` names who owns it, a text or a list.',
  group: 'Its group.',
  time_spine: fields('Of a model of days or hours that metrics join.', {
    standard_granularity_column: 'The column of the day or hour.',
    custom_granularities: 'A list of other granularities, each with `name` and `column_name`.',
  }),
  config: fields('Its settings.', {
    meta: 'Metadata, since dbt 1.10.',
    group: 'Its group.',
    materialized: 'table, view, incremental, ephemeral …',
    incremental_strategy: 'append, merge …',
    unique_key: 'A column, or several.',
    contract: fields('Its contract.', { enforced: 'True: the documented columns are all that there are.' }),
    quoting,
    snapshot_meta_column_names: 'Names of the columns that a snapshot adds.',
    hard_deletes: 'What a snapshot does with rows that are gone.',
    strategy: 'How a snapshot finds changes. A comparison reads this and every other setting that decides rows.',
  }),
  language: 'sql or python.',
  checksum: fields('Of its file.', { name: 'sha256; of a large seed path.', checksum: 'The digest.' }),
  raw_code: 'Its query with Jinja: a comparison reads what only an incremental run renders.',
  raw_sql: 'The same before dbt 1.3.',
  compiled_code: 'Its query without Jinja; `dbt compile` writes it.',
  compiled_sql: 'The same before dbt 1.3.',
});
export const dbtSource = fields('A table that the project reads and does not make.', {
  ...relationNames,
  columns,
  quoting,
});
export const dbtFormat: Field = {
  type: 'object',
  ...fields("dbt's `target/manifest.json`.", {
    metadata: fields('The project.', {
      project_name: 'Its name.',
      project_id: 'Its id.',
      adapter_type: 'Its database, which is the SQL dialect.',
      quoting,
    }),
    nodes: strictByName('Models, seeds and snapshots by their ids.', dbtModel),
    sources: strictByName('Sources by their ids.', dbtSource),
    exposures: strictByName(
      'What reads models, by its id.',
      fields('An exposure.', { depends_on: dependsOn, meta: 'Metadata; `columns` lists the columns that it uses.' }),
    ),
    groups: byName(
      'Groups of models.',
      fields('A group.', { name: 'Its name.', owner: 'Its owner: `name`, `email`.' }),
    ),
  }),
};
export const dbtCatalogFormat: Field = {
  type: 'object',
  ...fields("dbt's `target/catalog.json`: the columns that relations have.", {
    nodes: byName('Relations by the ids of the manifest.', { description: 'A relation with its columns.' }),
    sources: byName('Sources by the ids of the manifest.', { description: 'A source with its columns.' }),
  }),
};
export const dbtInfoSchemaFormat: Field = {
  type: 'object',
  ...fields("dbt 2's information schema, `target/info_schema/v1`: columns and their lineage by its static analysis.", {
    column_lineage: byName('By child_node_unique_id.', list({ description: 'A row of dbt.column_lineage.' })),
    node_columns: byName('Only if each column has a type.', {
      description: 'A relation with its columns, as in the catalog.',
    }),
  }),
};
