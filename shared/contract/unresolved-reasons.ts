/** Why a dataset is unresolved whose namespace no connector owns. */
export const unownedNamespace = 'unowned_namespace';

/** Why a dataset is unresolved whose namespace a connector owns. */
export const unusableName = 'name_is_no_relation_of_its_platform';

/** Why a job is unresolved that only its statement describes. */
export const silentStatement = 'statement_writes_no_known_relation';

/** Why the columns of an input are open that a model declares and its statement does not read. */
export const unreadDependency = 'dependency_not_in_statement';

type Meaning = {
  /** What a user can do about it. */
  readonly advice: string;
  /** True if nothing is missing: the reason is only a remark. */
  readonly resolved?: true;
};

const exportAgain = 'and export the project again.';
const compileAgain = 'Then run `dbt compile` and push again.';

/** Why assets of a delivery are not resolved, in the words of their source, and what a user can do about each. */
const meanings: Readonly<Record<string, Meaning>> = {
  // dbt
  compiled_code_unavailable: {
    advice:
      'Run `dbt compile` (or build, run, docs generate) and push again: the manifest has no compiled code for them.',
  },
  compiled_sql_reads_outside_declared_dependencies: {
    advice: `Reference the relations that their SQL reads with \`ref()\`, \`source()\` or a \`-- depends_on\` comment. ${compileAgain}`,
  },
  ephemeral_column_unknown: {
    advice: `List the columns of the ephemeral models that they read instead of \`*\`. ${compileAgain}`,
  },
  semantic_columns_unknown: {
    advice: 'Run `dbt parse` with dbt 1.6 or later and push again: the manifest does not say which columns they use.',
  },
  // SQLMesh
  rendered_sql_unavailable: {
    advice: `Check that SQLMesh renders them (\`sqlmesh render MODEL\`), ${exportAgain}`,
  },
  rendered_sql_reads_outside_declared_dependencies: {
    advice: `Declare the relations that their SQL reads in \`depends_on\` or as external models, ${exportAgain}`,
  },
  embedded_column_unknown: {
    advice: `List the columns of the EMBEDDED models that they read instead of \`*\`, ${exportAgain}`,
  },
  embedded_dependency_has_no_relation: {
    advice: 'Nothing to do: an EMBEDDED model is part of its readers, which depend on what it reads.',
    resolved: true,
  },
  // Of both
  non_sql_model: {
    advice:
      'Columns of Python models cannot be read from their code; only their table lineage is known. OpenLineage events from their runs add columns. An admin can ignore the gap.',
  },
  dependency_not_in_document: {
    advice: 'They depend on relations that the document does not describe. Push the document of the whole project.',
  },
  [unreadDependency]: {
    advice:
      'Their SQL does not read relations that they depend on: a hook, a macro or another branch of the code may. Remove dependencies that nothing reads.',
  },
  too_many_columns_through_inlined_models: {
    advice: 'Materialize some of the models that are inlined into them, and push again. Their table lineage is known.',
  },
  star_over_unknown_columns: {
    advice:
      'Send the columns of their sources: a catalog (`dbt docs generate`), declared columns, or events with schemas.',
  },
  star_over_incomplete_columns: {
    advice:
      'Send all columns of their sources: a catalog (`dbt docs generate`), declared columns, or events with schemas.',
  },
  statement_too_complex: {
    advice: 'Split these models into several, or shorten generated lists: their SQL exceeds a limit of the analysis.',
  },
  sql_dialect_unknown: { advice: 'Check the kind of the connector: it determines the SQL dialect.' },
  // Of readers
  exposure_has_no_columns: { advice: 'List the columns that it uses under `meta.columns` of the exposure.' },
  column_map_of_that_time_not_kept: { advice: 'Ask about a later time: the columns of that time are not kept.' },
  // DataHub
  catalog_entry_names_no_relation: {
    advice: 'Nothing to do: these entries do not describe datasets but, for example, dashboards or jobs.',
    resolved: true,
  },
  catalog_identity_unresolved: { advice: 'Give these entries well-formed dataset URNs, and export again.' },
  columns_not_reported: {
    advice:
      'If you need columns, also send the columnLineage facet, or from DataHub fine-grained lineage: these have only table lineage.',
  },
  source_column_not_given: { advice: 'Name a field in the upstream URNs of their fine-grained lineage.' },
  field_urn_malformed: { advice: 'Correct the field URNs in their fine-grained lineage.' },
  column_source_outside_inputs: {
    advice: 'Add the datasets whose fields they use to the upstreams: only fields of upstreams are mapped.',
  },
  too_many_column_pairs: {
    advice: 'Their fields produce too many pairs. Export more precise fine-grained lineage.',
  },
  column_name_too_long: { advice: 'Shorten the name: columns with a name this long are left out.' },
  // OpenLineage
  output_column_not_in_column_lineage: {
    advice: 'Send a columnLineage facet that lists all columns of the output, or the statement in the sql facet.',
  },
  input_not_in_column_lineage: {
    advice: 'Send column lineage that names all inputs, or the statement in the sql facet.',
  },
  insert_into_unknown_columns: {
    advice: 'Name the columns in the INSERT, or send those of the table: an event with a schema, or a catalog.',
  },
  [unownedNamespace]: {
    advice:
      'Claim each namespace for a connector: tributary admin connectors update WORKSPACE CONNECTOR --add-namespace NAMESPACE',
  },
  [unusableName]: {
    advice:
      'A connector owns their namespaces. Send names with as many parts as its platform has, none of them empty: database.schema.table on most.',
  },
  [silentStatement]: {
    advice:
      'These statements name no relation that they write from others: they call a procedure, load a file, or cannot be parsed. Send the statements inside procedures if your history has them.',
    // No gap: every history has some.
    resolved: true,
  },
};

const unknown: Meaning = {
  advice:
    'Tributary cannot follow these columns in the SQL, so only table lineage is known. Check that the statement runs and that the connector has the right dialect.',
};

const meaningOf = (reason: string): Meaning => (Object.hasOwn(meanings, reason) ? meanings[reason] : null) ?? unknown;

export const adviceOn = (reason: string): string => meaningOf(reason).advice;

export const isResolved = (reason: string): boolean => meaningOf(reason).resolved === true;

/** Why events of a delivery have no effect. */
export const ignoredReasons = ['too_old', 'overtaken', 'run_not_complete', 'forgotten'] as const;
export type IgnoredReason = (typeof ignoredReasons)[number];

export const adviceOnIgnored: Readonly<Record<IgnoredReason, string>> = {
  too_old:
    'The events are older than the observed_retention_days of the connector, so their evidence is already stale. Send newer events, or increase that setting.',
  run_not_complete:
    'These events say how runs go on, and none of them completes its run here: lineage counts from a COMPLETE event on. Send all events of a run. A streaming job needs the facet jobType with processingType STREAMING.',
  forgotten: 'What these events state was forgotten after they happened. Send events of later runs: those count.',
  overtaken: 'Nothing to do: a newer event for the same job or dataset takes precedence.',
};
