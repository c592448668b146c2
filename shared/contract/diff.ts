import * as v from 'valibot';
import { Claim } from './claim.ts';
import { dbtCatalogFormat, dbtFormat, sqlmeshFormat } from './document-formats.ts';
import { Cost, count, jsonObjectAs, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { judgement } from './verdicts.ts';

/** From safe to worst. */
export const diffGrades = ['safe', 'risky', 'breaking'] as const;
export type DiffGrade = (typeof diffGrades)[number];

/** Clauses of a statement that two versions of it write otherwise, with another meaning. */
const statementDifferences = [
  'source_changed',
  'join_changed',
  'filter_changed',
  'grouping_changed',
  'window_changed',
  'formula_changed',
  'statement_changed',
] as const;
export type DifferenceKind = (typeof statementDifferences)[number];

/** How the relations of a branch are matched with the live ones (C-DIFF-12). */
export const matchings = ['auto', 'relation', 'model'] as const;

const changes = ['added', 'removed', 'changed'] as const;

const { depth, nodes } = limits.impact;
const walkDepth = v.pipe(v.number(), v.integer(), v.minValue(depth.min), v.maxValue(depth.max));
const walkNodes = v.pipe(v.number(), v.integer(), v.minValue(nodes.min), v.maxValue(nodes.max));

/** A changed file of a branch, by its path or the name of the relation that it makes. */
const BranchFile = v.strictObject({ path: text(limits.agentArtifact.path), sql: text(limits.diff.fileCharacters) });
export const BranchFiles = v.pipe(v.array(BranchFile), v.minLength(1), v.maxLength(limits.diff.files));

/** A branch's project, to compare with its live scope. Exactly one of `manifest`, `project` and `files`. */
export const DiffProject = v.pipe(
  v.strictObject({
    workspace_id: text(200),
    connector_id: text(200),
    manifest: v.optional(jsonObjectAs(dbtFormat)),
    /** dbt's `catalog.json`, beside a manifest. */
    catalog: v.optional(jsonObjectAs(dbtCatalogFormat)),
    project: v.optional(jsonObjectAs(sqlmeshFormat)),
    /** Changed files; the rest of the branch is the project as it was last pushed (C-DIFF-11). */
    files: v.optional(BranchFiles),
    /** Names the live scope, as in the deliveries that made it. */
    project_id: v.optional(text(limits.declared.projectId)),
    /** The environment of the live scope of a SQLMesh project; its own where it is left out. */
    environment: v.optional(text(limits.declared.projectId)),
    /** `model`: a model is the live model of its id, wherever the branch is built. `auto`: so if both are one project. */
    match_by: v.optional(v.picklist(matchings), 'auto'),
    /** As far as walks go, unless less is requested: what lies beyond is only counted. */
    max_depth: v.optional(walkDepth, depth.max),
    max_nodes: v.optional(walkNodes, nodes.max),
  }),
  v.check(
    ({ manifest, project, files }) => [manifest, project, files].filter((one) => one !== undefined).length === 1,
    'must have exactly one of a manifest, a project and files',
  ),
);
export type DiffProject = v.InferOutput<typeof DiffProject>;

const ImpactedRelation = v.object({
  relation_ref: v.string(),
  kind: v.string(),
  depth: count,
  columns: v.array(v.string()),
  via: v.array(v.string()),
  grade: v.picklist(['risky', 'breaking']),
});

const effect = {
  grade: v.picklist(diffGrades),
  breaks: v.array(ImpactedRelation),
  /** Relations beyond the bounds of the walk. */
  unexplored: count,
  /** False where there were too many changes to walk from each: the change is then graded risky. */
  walked: v.boolean(),
};

/** One clause of a statement, as both versions write it; literals are masked where the connector masks them. */
const StatementDifference = v.object({
  kind: v.picklist(statementDifferences),
  /** The column of the relation whose formula it is; null if it is none, or of a query within. */
  column: v.nullable(v.string()),
  /** Null: the version has no such clause. */
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
});

const ModelDifference = v.object({
  /** As SQLMesh's categorizer: `non_breaking` if select lists only got longer. Null: equal, or one is unknown. */
  category: v.nullable(v.picklist(['breaking', 'non_breaking'])),
  /** Whether its rows may differ: then everything downstream is at risk, else what reads the columns that changed. */
  rows: v.boolean(),
  /** Why the statements were not compared; null if they were. */
  not_compared: v.nullable(v.string()),
  differences: v.array(StatementDifference),
  unlisted: count,
  /** Both statements as they were compiled, cut at their ends; only of the worst changes, if the response has room. */
  sql: v.optional(v.object({ before: v.nullable(v.string()), after: v.nullable(v.string()) })),
  /** How it is built otherwise; values are null if the connector masks literals. */
  settings: v.array(v.object({ name: v.string(), before: v.nullable(v.string()), after: v.nullable(v.string()) })),
});

const MappingSource = v.object({
  relation_ref: v.string(),
  column: v.string(),
  type: v.picklist(['DIRECT', 'INDIRECT']),
  subtype: v.nullable(v.string()),
});

const Mapping = v.object({
  upstream: v.string(),
  /** Null: it affects every column. */
  downstream: v.nullable(v.string()),
  type: v.picklist(['DIRECT', 'INDIRECT']),
  subtype: v.nullable(v.string()),
});

const Compared = v.object({
  kind: v.picklist(['moment', 'scope', 'document']),
  /** The moment for which it holds; null of a document. */
  as_of: v.nullable(timestamp),
  /** The declared scope, and that which a document would replace; null of a moment. */
  scope_key: v.nullable(v.string()),
  /** Null where absence in the scope proves nothing. */
  last_complete_snapshot_at: v.nullable(timestamp),
  /** False where nothing was ever accepted under the scope: everything then counts as added. */
  found: v.boolean(),
});

const Counts = v.object({ added: count, removed: count, changed: count });

/** What differs between two moments of the graph, or between a branch and its live scope, and what that breaks. */
export const LineageDiff = v.object({
  workspace_id: v.string(),
  connector_id: v.string(),
  from: Compared,
  to: Compared,
  /** The worst of all changes: what a pipeline acts on. `not_evaluated`: nothing was compared. */
  grade: v.picklist([...diffGrades, 'not_evaluated']),
  /** Why nothing was compared; null if something was. */
  not_evaluated: v.nullable(
    v.object({
      reason: v.picklist([
        'no_base',
        'other_project',
        'nothing_in_common',
        'no_models',
        'not_compiled',
        'base_not_compiled',
        'files_not_compared',
        'evidence_waits',
      ]),
      /** What happened and what to do, for people. */
      message: v.string(),
      /** The projects that were pushed to the connector, if the one that was requested is none of them. */
      linked_projects: v.array(v.string()),
    }),
  ),
  /** What the relations of a branch were matched by; null of two moments, and if nothing was compared. */
  matched_by: v.nullable(v.picklist(['relation', 'model'])),
  /** What each file of a branch changes, if the branch is a list of files. */
  files: v.optional(
    v.array(
      v.object({
        path: v.string(),
        relation_ref: v.nullable(v.string()),
        /** Why it was not compared; null if it was. */
        problem: v.nullable(
          v.picklist(['project_unread', 'no_model', 'ambiguous', 'no_statement', 'template', 'not_understood']),
        ),
        /** Relations that it reads and the project does not declare. */
        unknown_reads: v.array(v.string()),
      }),
    ),
  ),
  summary: v.object({
    relations: Counts,
    edges: Counts,
    columns: Counts,
    grades: v.object({ safe: count, risky: count, breaking: count }),
  }),
  relations: v.array(
    v.object({
      change: v.picklist(changes),
      relation_ref: v.string(),
      kind: v.string(),
      reasons: v.array(
        v.picklist([
          // The project made it, or read it, and no longer does.
          'no_longer_made',
          'no_longer_read',
          'inputs_changed',
          'columns_changed',
          // What filters, joins, groups or sorts all of it is another.
          'influences_changed',
          // Its columns cannot be compared: they were known before and are not any more.
          'columns_unknown',
          ...statementDifferences,
          // Proven to be written otherwise only.
          'formatting_only',
          // One version of its statement is not known.
          'statement_not_compared',
          // Its tool builds it otherwise, or from another file.
          'configuration_changed',
          // It is a table, a view or inlined now, with the same rows.
          'materialization_changed',
          'seed_changed',
        ]),
      ),
      /** Null if the model that makes it says what it said, and of two moments. */
      model: v.nullable(ModelDifference),
      ...effect,
    }),
  ),
  edges: v.array(
    v.object({
      change: v.picklist(changes),
      upstream: v.string(),
      downstream: v.string(),
      ...judgement,
      columns_added: v.array(Mapping),
      columns_removed: v.array(Mapping),
    }),
  ),
  columns: v.array(
    v.object({
      change: v.picklist(changes),
      relation_ref: v.string(),
      column: v.string(),
      /** What it was made of; null if it was not there. */
      before: v.nullable(v.array(MappingSource)),
      after: v.nullable(v.array(MappingSource)),
      ...effect,
    }),
  ),
  /** Who owns what the changes break, by their sources; `owner` is null for relations without a known owner. */
  owners: v.optional(v.array(v.object({ owner: v.nullable(v.string()), relation_refs: v.array(v.string()) }))),
  /** C-DIFF-10. */
  undeclared: v.object({
    edges: v.array(v.object({ upstream: v.string(), downstream: v.string(), verdict: judgement.verdict })),
    /** False if not all edges at the changed relations were looked at, or not all are listed. */
    complete: v.boolean(),
  }),
  /** Relations whose columns could not be compared, and why. */
  precision: v.object({ reasons: v.array(v.object({ relation_ref: v.string(), reason: v.string() })) }),
  /** Changes not listed, changes not followed, and whether a limit of reads or of the response's size was reached. */
  truncated: v.object({
    any: v.boolean(),
    by_requests: v.boolean(),
    by_bytes: v.boolean(),
    unlisted: count,
    unwalked: count,
  }),
  /** The next part of the graph; null at the end, and of a branch. */
  next_cursor: v.nullable(v.string()),
  /** Where the comparison of a branch can be read again, and until when. */
  kept: v.optional(v.object({ comparison_id: v.string(), until: timestamp })),
  claim: Claim,
  cost: Cost,
});
export type LineageDiff = v.InferOutput<typeof LineageDiff>;
