/** Why a dataset is unresolved whose namespace no connector owns. */
export const unownedNamespace = 'unowned_namespace';

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
      'Run `dbt compile` (or build, run, docs generate) and push again: the manifest has no compiled code of them.',
  },
  compiled_sql_reads_outside_declared_dependencies: {
    advice: `Name what their SQL reads by \`ref()\` or \`source()\`, or by a \`-- depends_on\` comment. ${compileAgain}`,
  },
  ephemeral_column_unknown: {
    advice: `Name the columns of the ephemeral models that they read, instead of \`*\`. ${compileAgain}`,
  },
  // SQLMesh
  rendered_sql_unavailable: {
    advice: `Check that SQLMesh renders them (\`sqlmesh render MODEL\`), ${exportAgain}`,
  },
  rendered_sql_reads_outside_declared_dependencies: {
    advice: `Declare what their SQL reads as \`depends_on\` or as external models, ${exportAgain}`,
  },
  embedded_column_unknown: {
    advice: `Name the columns of the EMBEDDED models that they read, instead of \`*\`, ${exportAgain}`,
  },
  embedded_dependency_has_no_relation: {
    advice: 'Nothing to do: an EMBEDDED model is part of its readers, which depend on what it reads.',
    resolved: true,
  },
  // Of both
  non_sql_model: {
    advice:
      'Columns of Python models cannot be read from their code: their tables are known. OpenLineage events of their runs add columns; an admin may ignore the gap.',
  },
  dependency_not_in_document: {
    advice: 'They depend on what the document does not describe: push the document of the whole project.',
  },
  too_many_columns_through_inlined_models: {
    advice: 'Materialise some of the models that are inlined into them, and push again. Their tables are known.',
  },
  star_over_unknown_columns: {
    advice:
      'Send the columns of what they read: a catalog (`dbt docs generate`), declared columns, or events with schemas.',
  },
  star_over_incomplete_columns: {
    advice:
      'Send all columns of what they read: a catalog (`dbt docs generate`), declared columns, or events with schemas.',
  },
  statement_too_complex: {
    advice: 'Split these models into several, or shorten generated lists: their SQL exceeds a limit of the analysis.',
  },
  sql_dialect_unknown: { advice: 'Check the kind of the connector: it decides the dialect in which SQL is read.' },
  // DataHub
  catalog_entry_names_no_relation: {
    advice: 'Nothing to do: these entries are about other things than datasets, such as dashboards and jobs.',
    resolved: true,
  },
  catalog_identity_unresolved: { advice: 'Give these entries well-formed URNs of datasets, and export again.' },
  columns_not_reported: {
    advice: 'Export fine-grained lineage too if you need columns: these entries only say which tables feed which.',
  },
  source_column_not_given: { advice: 'Name a field in the upstream URNs of their fine-grained lineage.' },
  field_urn_malformed: { advice: 'Correct the URNs of fields in their fine-grained lineage.' },
  column_source_outside_inputs: {
    advice: 'State the datasets whose fields they use as upstreams too: only fields of upstreams are mapped.',
  },
  too_many_column_pairs: {
    advice: 'Their fields multiply to too many pairs: export less coarse fine-grained lineage.',
  },
  column_name_too_long: { advice: 'Nothing but a shorter name helps: a column of so long a name is left out.' },
  // OpenLineage
  [unownedNamespace]: {
    advice:
      'Claim each namespace for a connector: tributary admin connectors update WORKSPACE CONNECTOR --add-namespace NAMESPACE',
  },
};

const unknown: Meaning = {
  advice:
    'Their columns are not known, because the SQL is not understood. Their tables are. Check that the statement runs, and its dialect.',
};

const meaningOf = (reason: string): Meaning => (Object.hasOwn(meanings, reason) ? meanings[reason] : null) ?? unknown;

export const adviceOn = (reason: string): string => meaningOf(reason).advice;

/** Whether a reason is only a remark on what is resolved, so that nothing has to be done. */
export const isResolved = (reason: string): boolean => meaningOf(reason).resolved === true;

/** Why events of a delivery have no effect. */
export const ignoredReasons = ['too_old', 'overtaken'] as const;
export type IgnoredReason = (typeof ignoredReasons)[number];

export const adviceOnIgnored: Readonly<Record<IgnoredReason, string>> = {
  too_old:
    'What they observed is stale from the start: they happened longer ago than the observed_retention_days of the connector. Send newer events, or raise that setting.',
  overtaken: 'Nothing to do: a newer event of the same job or dataset holds.',
};
