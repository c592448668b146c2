import type { DiffProject, LineageDiff } from '../../../../contract/diff.ts';
import type { Budget } from '../../../base/budget.ts';
import { relationRefOf } from '../../graph/node.ts';
import type { Connector } from '../../names/connector.ts';
import { configured } from '../../sources/dbt/settings.ts';
import type { ColumnPorts } from '../../sources/declared/declared.ts';
import { deriveModelProject } from '../../sources/models/derive-model-project.ts';
import { type ReadMatcher, readMatcher } from '../../sources/models/match-read.ts';
import type { ExternalRelation, Model, ModelProject } from '../../sources/models/model-project.ts';
import { filledTemplate, modelOfFile, type Tag, templateSettings } from '../../sources/models/template.ts';
import { analyseSql } from '../../sql/analyse-sql.ts';
import { documentBudget } from '../../sql/budget.ts';
import type { SqlParser } from '../../sql/types.ts';
import { type Branch, emptyProject } from './branch.ts';
import { type LiveProject, wholeProject } from './live-scope.ts';

type BranchFile = NonNullable<DiffProject['files']>[number];
type ReadFile = NonNullable<LineageDiff['files']>[number];
type Member = Model | ExternalRelation;

/** What the live project would be if some files replaced its statements. */
export function branchOfFiles(
  { parser, connector }: Pick<Place, 'parser' | 'connector'>,
  scopeKey: string,
  live: LiveProject,
  changed: readonly BranchFile[],
): { readonly branch: Branch; readonly files: ReadFile[] } {
  const base = (live.unread === null && wholeProject(live)) || emptyProject;
  const memberOf = readMatcher<Member>([...base.models, ...base.sources]);
  // Of all files together: each may cost what a statement may, and a request has a hundred.
  const budget = documentBudget(changed.reduce((sum, { sql }) => sum + sql.length, 0));
  const read = changed.map((file) => changedModel({ parser, connector, base, memberOf, budget }, file));
  const now = new Map(read.flatMap(({ id, model }) => (id === null ? [] : [[id, model] as const])));
  const project = {
    ...base,
    models: base.models.flatMap((model) => (now.has(model.id) ? (now.get(model.id) ?? []) : model)),
    sources: [...base.sources, ...read.flatMap(({ source }) => source ?? [])],
  };
  const ports: ColumnPorts = {
    analyse: (text, options) => analyseSql(parser, text, options),
    skimsStatements: true,
  };
  const declared = deriveModelProject(ports, project, live.lineage);
  return {
    branch: {
      scopeKey,
      project,
      declared,
      withFormerColumns: (formerColumns) => deriveModelProject({ ...ports, formerColumns }, project, declared.lineage),
    },
    files: read.map(({ file }) => file),
  };
}

type Place = {
  readonly parser: SqlParser;
  readonly connector: Connector;
  readonly base: ModelProject;
  readonly memberOf: ReadMatcher<Member>;
  readonly budget: Budget;
};

/** The model that a file changes, or why that cannot be said. */
function changedModel({ parser, connector, base, memberOf, budget }: Place, { path, sql }: BranchFile) {
  const [model, ...others] = modelsNamed(base, path);
  const relation_ref = model?.node && others.length === 0 ? relationRefOf(model.node) : null;
  const refused = (problem: ReadFile['problem']) => ({
    file: { path, relation_ref, problem, unknown_reads: [] },
    id: null,
    model: null,
    source: null,
  });
  if (base === emptyProject) return refused('project_unread');
  if (model === undefined) return refused('no_model');
  if (others.length > 0) return refused('ambiguous');
  const { statement } = model;
  if (statement.kind !== 'sql') return refused('no_statement');
  const text = compiled(base, model, sql);
  const now = text === null ? null : configured(connector, model, templateSettings(sql));
  if (text === null || now === null) return refused('template');
  const readings = statement.dialects.map((dialect) =>
    analyseSql(parser, text, { dialect, columnsOf: () => null, budget }),
  );
  const reads = readings.find((one) => one.reads !== null)?.reads;
  if (!reads) return refused('not_understood');
  const found = reads.map((read) => [read.map((part) => part.text).join('.'), memberOf(read)?.id] as const);
  // An inlined model is no read: its text is within the model's.
  const inlined = base.models.filter(
    ({ node, names: [name = []] }) => !node && name[1] === undefined && text.includes(name[0] ?? '\0'),
  );
  const dependsOn = new Set([...found.flatMap(([, id]) => id ?? []), ...inlined.map(({ id }) => id)]);
  dependsOn.delete(model.id);
  return {
    file: { path, relation_ref, problem: null, unknown_reads: found.flatMap(([name, id]) => (id ? [] : [name])) },
    id: model.id,
    source: now.source,
    // Lists of columns are of the statement before.
    model: now.model && {
      ...now.model,
      statement: { ...statement, text, plain: text },
      dependsOn: [...dependsOn],
      columns: null,
      documentedColumns: [],
    },
  };
}

/** By the name of a relation, or by a path: a file is named like its model. */
function modelsNamed({ models }: ModelProject, path: string): readonly Model[] {
  const wanted = (/[/\\]|\.sql$/i.test(path) ? modelOfFile(path.replaceAll('\\', '/')) : path).toLowerCase();
  const isMeant = (name: string) => `.${name.toLowerCase()}`.endsWith(`.${wanted}`);
  return models.filter(
    ({ isModel, id, node, names }) =>
      isModel && [id, ...(node ? [relationRefOf(node)] : []), ...names.map((parts) => parts.join('.'))].some(isMeant),
  );
}

/** The SQL of a file; null if its template needs more than the names of models and sources. */
function compiled(base: ModelProject, model: Model, sql: string): string | null {
  const text = filledTemplate(sql, (tag) => {
    if (tag.kind === 'comment' || tag.kind === 'config') return '';
    const member = tag.kind === 'this' ? model : memberNamed(base, tag);
    const [name] = member?.names ?? [];
    return name?.map((part) => (!/[^\w-]/.test(part) ? part : `"${part.replaceAll('"', '""')}"`)).join('.') ?? null;
  });
  return /\{[{%]/.test(text) ? null : text;
}

/** dbt's ids are the kind, the package, and the names; the last part of a model's may be its version. */
function memberNamed({ models, sources }: ModelProject, tag: Tag): Member | null {
  const isMeant = (names: readonly string[]): boolean => {
    if (tag.kind === 'source') return names.slice(1).join('.') === `${tag.source}.${tag.table}`;
    if (tag.kind !== 'ref') return false;
    const [owner, name, version = null] = names;
    const wanted = tag.version === null ? null : `v${tag.version}`;
    return name === tag.name && version === wanted && (tag.package === null || tag.package === owner);
  };
  const members: readonly Member[] = tag.kind === 'source' ? sources : models.filter(({ isModel }) => isModel);
  const [found, ...others] = members.filter(({ id }) => isMeant(id.split('.').slice(1)));
  return found && others.length === 0 ? found : null;
}
