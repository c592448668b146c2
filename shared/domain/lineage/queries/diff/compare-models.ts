import type { Budget } from '../../../base/budget.ts';
import { once } from '../../../base/caching.ts';
import type { Node, Urn } from '../../graph/node.ts';
import { urnOf } from '../../graph/node.ts';
import { type Dependencies, dependenciesOf } from '../../sources/models/dependencies.ts';
import { incrementalParts, withoutIncrementalParts } from '../../sources/models/incremental-parts.ts';
import { readMatcher } from '../../sources/models/match-read.ts';
import { textToRead } from '../../sources/models/model-columns.ts';
import type { ExternalRelation, Model, ModelProject } from '../../sources/models/model-project.ts';
import {
  compareStatements,
  type KnownRelation,
  type StatementComparison,
  type StatementVersion,
} from '../../sql/compare/compare-statements.ts';
import type { SqlParser } from '../../sql/types.ts';
import type { LiveProject } from './live-scope.ts';
import type { Matching } from './match-branch.ts';

export type ModelDifference = {
  readonly relation: Urn;
  /** `same` only if it is written otherwise; a model that is not written otherwise has no difference. */
  readonly statement: Exclude<StatementComparison, { kind: 'same'; isWritten: true }> | null;
  /** How it is built otherwise. */
  readonly settings: readonly SettingDifference[];
  /** The compiled statements of both versions; null if it has none. */
  readonly sql?: { readonly before: string | null; readonly after: string | null };
};

type SettingDifference = {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Whether it decides rows. */
  readonly rows: boolean;
};

export type ComparedModels = {
  readonly differences: readonly ModelDifference[];
  /** Relations that the live project makes, whether or not an edge leads to them. */
  readonly models: ReadonlySet<Urn>;
  /** Relations whose two statements read alike only if they are compiled or built alike: the graph of both differs. */
  readonly same: ReadonlySet<Urn>;
  /** Both versions of the models that build the same relation, in the order of the branch. */
  readonly pairs: readonly ComparedPair[];
};

export type ComparedPair = { readonly relation: Urn; readonly before: Sided; readonly after: Sided };

export type ModelSides = {
  readonly live: LiveProject;
  readonly branch: ModelProject;
  readonly matching: Matching;
};

/** Characters of statements that are parsed to compare them: some ten seconds. */
const mostCharacters = 6_000_000;

type Side = {
  readonly project: ModelProject;
  readonly dependencies: (model: Model) => Dependencies;
  readonly nameOf: (node: Node, id: string) => Urn;
  /** The columns that the catalog of either side lists of a relation, with their types. */
  readonly typesOf: (member: Model | ExternalRelation) => ReadonlyMap<string, string | null>;
  /** Models that one of both sides inlines: the other side's relation holds the same rows. */
  readonly inlined: ReadonlySet<string>;
};
export type Sided = { readonly side: Side; readonly model: Model };

/** Compares each model of a branch with the live model that makes the same relation, by statement and by settings. */
export function compareModels(parser: SqlParser, { live, branch, matching }: ModelSides): ComparedModels {
  const models = new Map<string, Sided>();
  const liveName = (node: Node, id: string) => matching.liveNames.get(id) ?? urnOf(node);
  const isInlined = ({ isModel, node }: Model) => isModel && node === null;
  const all = [branch, ...live.projects].flatMap((project) => project.models);
  const inlined = new Set(all.filter(isInlined).map(({ id }) => id));
  const typesOf = typesIn([branch, ...live.projects]);
  for (const project of live.projects) {
    const side = { project, dependencies: dependenciesOf(project), nameOf: liveName, typesOf, inlined };
    for (const model of project.models) models.set(model.id, { side, model });
  }
  const byUrn = new Map(
    [...models.values()].flatMap((one) =>
      isBuilt(one.model) ? [[liveName(one.model.node, one.model.id), one] as const] : [],
    ),
  );
  const side: Side = {
    project: branch,
    dependencies: dependenciesOf(branch),
    nameOf: (node) => matching.nameOf(urnOf(node)),
    ...{ typesOf, inlined },
  };
  const comparing = { parser, matching, budget: { left: mostCharacters } };
  const same = new Set<Urn>();
  const pairs: ComparedPair[] = [];
  const differences = branch.models.filter(isBuilt).flatMap((model): ModelDifference[] => {
    const relation = side.nameOf(model.node, model.id);
    const before = byUrn.get(relation);
    if (!before) return live.unread === null ? [] : [notCompared(relation, live.unread)];
    if (model.node.kind === 'relation') pairs.push({ relation, before, after: { side, model } });
    const { statement, settings } = compareModel(comparing, before, { side, model });
    if (statement?.kind === 'same') same.add(relation);
    const shown = statement?.kind === 'same' && statement.isWritten ? null : statement;
    const sql = { before: compiledOf(before.model), after: compiledOf(model) };
    return shown || settings.length > 0 ? [{ relation, statement: shown, settings, sql }] : [];
  });
  return { differences, models: new Set(byUrn.keys()), same, pairs };
}

function typesIn(projects: readonly ModelProject[]): Side['typesOf'] {
  const listed = Map.groupBy(
    projects.flatMap(({ sources, models }) => [...sources, ...models]),
    ({ id }) => id,
  );
  return ({ id }) =>
    new Map(listed.get(id)?.flatMap(({ columns }) => (columns ?? []).map(({ name, type }) => [name, type] as const)));
}

const compiledOf = ({ statement }: Model): string | null =>
  statement.kind === 'sql' ? (statement.plain ?? statement.text) : null;

/** Relations, and what is defined over them: metrics and their like. */
const isBuilt = (model: Model): model is Model & { readonly node: Node } => model.isModel && model.node !== null;

const notCompared = (relation: Urn, reason: string): ModelDifference => ({
  relation,
  statement: { kind: 'not_compared', reason },
  settings: [],
});

type Comparing = { readonly parser: SqlParser; readonly matching: Matching; readonly budget: Budget };

const compareModel = (comparing: Comparing, before: Sided, after: Sided) => ({
  statement: statementComparison(comparing, before, after),
  settings: settingDifferences(before.model, after.model),
});

/** Null if there is nothing to compare, or nothing is written otherwise. */
function statementComparison(
  { parser, matching: { isAlike }, budget }: Comparing,
  before: Sided,
  after: Sided,
): StatementComparison | null {
  const versions = [versionOf(before), versionOf(after)] as const;
  if (versions[0] === null || versions[1] === null) return withoutStatement(isAlike, before.model, after.model);
  const [old, now] = inOneMode([before.model, versions[0]], [after.model, versions[1]]);
  const isCompiledAlike = old === versions[0] && now === versions[1];
  const isTemplateAlike = !templatesDiffer(before.model, after.model);
  if (isAlike(old.text, now.text) && isAlike(old.inlined, now.inlined) && isTemplateAlike)
    return isCompiledAlike ? null : { kind: 'same', isWritten: true, category: null };
  budget.left -= old.text.length + now.text.length;
  if (budget.left < 0) return { kind: 'not_compared', reason: 'too_many_statements' };
  const found = compareStatements(parser, old, now);
  if (found.kind !== 'same' || isTemplateAlike) return found;
  return { kind: 'not_compared', reason: 'incremental_part_of_template_changed' };
}

type Versioned = readonly [Model, StatementVersion];

/** Both as a full refresh renders them, if only one side was compiled incrementally; parts compare by template. */
function inOneMode([before, old]: Versioned, [after, now]: Versioned): readonly [StatementVersion, StatementVersion] {
  const [was, is] = [fullRefresh(before, old), fullRefresh(after, now)];
  if ((was === null) === (is === null)) return [old, now];
  return [was ?? old, is ?? now];
}

function fullRefresh({ settings }: Model, version: StatementVersion): StatementVersion | null {
  const [dialect] = version.dialects;
  if (dialect === undefined || !settings?.template) return null;
  const text = withoutIncrementalParts(version.text, settings.template, dialect);
  return text === null ? null : { ...version, text };
}

/** Equal contents prove that nothing is different; else it is not known. */
function withoutStatement(isAlike: Matching['isAlike'], before: Model, after: Model) {
  if (before.statement.kind === 'columns' && after.statement.kind === 'columns') return null;
  const [old, now] = [before.settings?.content ?? null, after.settings?.content ?? null];
  if (old !== null && now !== null && isAlike(old, now)) return null;
  const reason = [after, before].flatMap(({ statement }) =>
    statement.kind === 'none' ? (statement.reason ?? []) : [],
  )[0];
  const ofSeed = old !== null && now !== null ? 'seed_changed' : 'contents_of_seed_unknown';
  return { kind: 'not_compared' as const, reason: reason ?? ofSeed };
}

/** What only a run that finds the table renders shows in the template, and in no statement that was compiled without it. */
function templatesDiffer(before: Model, after: Model): boolean {
  const [old, now] = [before.settings?.template ?? null, after.settings?.template ?? null];
  if (old === now) return false;
  return JSON.stringify(incrementalParts(old ?? '')) !== JSON.stringify(incrementalParts(now ?? ''));
}

/** @param knownOf what is known of a relation of the project besides its name; with it, catalogs are believed, too */
export function versionOf(
  { side, model }: Sided,
  knownOf?: (read: Sided) => Omit<KnownRelation, 'relation'> | null,
): StatementVersion | null {
  const { statement } = model;
  if (statement.kind !== 'sql') return null;
  const { relations, inlined } = side.dependencies(model);
  const members: readonly (Model | ExternalRelation)[] = [...relations, ...inlined, model];
  const matcher = once(() => readMatcher(members));
  const text = textToRead(statement, relations);
  return {
    text,
    dialects: statement.dialects,
    inlined: inlined
      .map((one) => (one.statement.kind === 'sql' ? `${one.id} ${one.statement.plain ?? one.statement.text}` : one.id))
      .sort()
      .join('\n'),
    reads: (name) => {
      const member = matcher()(name);
      if (member === null) return null;
      if (!member.node || side.inlined.has(member.id))
        return 'statement' in member ? versionOf({ side, model: member }, knownOf) : null;
      const relation = side.nameOf(member.node, member.id);
      const known = 'statement' in member ? knownOf?.({ side, model: member }) : knownOf && externalOf(side, member);
      return known ? { relation, ...known } : relation;
    },
  };
}

const externalOf = ({ typesOf }: Side, source: ExternalRelation): Omit<KnownRelation, 'relation'> => ({
  ...{ contents: null, key: null, madeBy: null },
  has: typesOf(source),
});

function settingDifferences({ settings: before }: Model, { settings: after }: Model): SettingDifference[] {
  const [old, now] = [before?.values ?? {}, after?.values ?? {}];
  const found = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => old[name] !== now[name])
    .map((name) => ({ name, before: old[name] ?? null, after: now[name] ?? null, rows: true }));
  const [was = null, is = null] = [before?.materialized, after?.materialized];
  const isOnlyBuilt = was !== is && !found.some(({ name }) => name === 'materialized');
  return isOnlyBuilt ? [...found, { name: 'materialized', before: was, after: is, rows: false }] : found;
}

export const concernsRows = ({ statement, settings }: ModelDifference): boolean =>
  settings.some(({ rows }) => rows) ||
  statement?.kind === 'not_compared' ||
  (statement?.kind === 'changed' && statement.rows);
