import type { DiffProject, LineageDiff } from '../../../../contract/diff.ts';
import { isUndeclaredReader, refOf, type Urn, urnOf } from '../../graph/node.ts';
import type { Model, ModelProject } from '../../sources/models/model-project.ts';
import type { Branch } from './branch.ts';
import { relationsOf } from './graph-version.ts';
import type { LiveProject, LiveScope } from './live-scope.ts';

/** Which live relation each relation of a branch is. */
export type Matching = {
  readonly by: NonNullable<LineageDiff['matched_by']>;
  /** The live name of a relation of the branch; its own if it has none. */
  readonly nameOf: (urn: Urn) => Urn;
  /** The live name of a member of the project. */
  readonly liveNames: ReadonlyMap<string, Urn>;
  /** Whether a text of the live side is one of the branch, except the names of where each is built. */
  readonly isAlike: (live: string, branch: string) => boolean;
};

/** Why the sides of a comparison are no two versions of one thing. */
export type NoMatch = 'other_project' | 'nothing_in_common';

export type MatchingSides = {
  readonly matchBy: DiffProject['match_by'];
  readonly branch: Branch;
  readonly scope: LiveScope;
  readonly live: LiveProject;
};

/** Matches a branch with its live project (C-DIFF-12). */
export function matchBranch({ matchBy, branch, scope, live }: MatchingSides): Matching | NoMatch {
  if (isOther(live.projects.at(-1)?.name, branch.project.name)) return 'other_project';
  const liveNames = liveNamesOf(scope, live);
  const pairs = pairsOf(branch.project.models, liveNames);
  const kept = pairs.filter(({ before, after }) => before === after).length;
  const own = builtBy(branch.project.models).map(({ urn }) => urn);
  const isEmpty = liveNames.size === 0 || own.length === 0;
  if (matchBy === 'relation' || pairs.length === 0) {
    const known = new Set(liveNames.values());
    if (!isEmpty && !own.some((urn) => known.has(urn))) return 'nothing_in_common';
    return { by: 'relation', nameOf: (urn) => urn, liveNames, isAlike };
  }
  // A snapshot may have its own schema, which every target shares.
  if (kept * 2 >= pairs.length) return { by: 'model', nameOf: (urn) => urn, liveNames, isAlike };
  const names = movedNames(branch, live, pairs, liveNames);
  // Without its documents, the live project's sources are known by their names only.
  if (live.projects.length === 0) for (const [urn, name] of namesByTable(branch, scope, names)) names.set(urn, name);
  const moved = movedWords(names);
  return {
    by: 'model',
    nameOf: (urn) => names.get(urn) ?? urn,
    liveNames,
    isAlike: (a, b) => isAlike(a, b) || isAlikeButFor(moved, a, b),
  };
}

const isAlike = (a: string, b: string): boolean => a.trim() === b.trim();

/** Words of names that stand for each other, as `live branch`. */
function movedWords(names: ReadonlyMap<Urn, Urn>): ReadonlySet<string> {
  const moved = new Set<string>();
  for (const [after, before] of names) {
    const [old, now] = [wordsOf(refOf(before)), wordsOf(refOf(after))];
    if (old.length !== now.length) continue;
    for (const [i, word] of old.entries()) if (word !== now[i]) moved.add(`${word} ${now[i]}`.toLowerCase());
  }
  return moved;
}

function isAlikeButFor(moved: ReadonlySet<string>, a: string, b: string): boolean {
  const [old, now] = [wordsOf(a.trim()), wordsOf(b.trim())];
  return (
    old.length === now.length && old.every((word, i) => word === now[i] || moved.has(`${word} ${now[i]}`.toLowerCase()))
  );
}

const wordsOf = (text: string): readonly string[] => text.match(/\w+|\W/g) ?? [];

/** Older documents do not tell the name. */
const isOther = (live: ModelProject['name'], branch: ModelProject['name']): boolean =>
  Boolean(live && branch && live !== branch);

/** The graph's name of a relation may be older than the connector's settings, which decide what documents say now. */
function liveNamesOf({ producers }: LiveScope, { projects }: LiveProject): Map<string, Urn> {
  const names = new Map<string, Urn>();
  for (const { models } of projects) for (const { id, urn } of builtBy(models)) names.set(id, urn);
  // The node for a model's undeclared reads has the model as its producer.
  for (const [urn, id] of producers) if (!isUndeclaredReader(urn)) names.set(id, urn);
  return names;
}

/** Without metrics and their like, whose names no target changes. */
const builtBy = (models: readonly Model[]) =>
  models.flatMap((model) =>
    model.isModel && model.node?.kind === 'relation' ? [{ id: model.id, urn: urnOf(model.node), model }] : [],
  );

type Pair = { readonly model: Model; readonly before: Urn; readonly after: Urn };

const pairsOf = (models: readonly Model[], liveNames: ReadonlyMap<string, Urn>): Pair[] =>
  builtBy(models).flatMap(({ id, urn, model }) => {
    const before = liveNames.get(id);
    return before === undefined ? [] : [{ model, before, after: urn }];
  });

/** Names of a branch that is built elsewhere. What it renames itself keeps its own name, and is a change. */
function movedNames(
  { project }: Branch,
  { projects }: LiveProject,
  pairs: readonly Pair[],
  liveNames: ReadonlyMap<string, Urn>,
): Map<Urn, Urn> {
  const liveModels = new Map(projects.flatMap(({ models }) => models.map((one) => [one.id, one] as const)));
  const renamedIn = (key: (typeof nameKeys)[number]) =>
    new Set(
      pairs.flatMap(({ model }) => {
        const live = liveModels.get(model.id);
        return live === undefined || nameIn(live, key) === nameIn(model, key) ? [] : model.id;
      }),
    );
  // What differs of every model is how the target names them.
  const renamed = nameKeys.map(renamedIn).filter(({ size }) => size < pairs.length);
  const names = new Map<Urn, Urn>();
  for (const { model, before, after } of pairs) if (!renamed.some((ids) => ids.has(model.id))) names.set(after, before);
  for (const [after, before] of renamedIds(project.models, liveNames, names)) names.set(after, before);
  const sources = new Map(projects.flatMap((one) => one.sources.map(({ id, node }) => [id, urnOf(node)] as const)));
  const read = project.sources.flatMap(({ id, node }) => {
    const before = sources.get(id);
    return before === undefined || liveNames.has(id) ? [] : [{ before, after: urnOf(node) }];
  });
  // Sources that are all elsewhere are the target's; one among others is a changed source.
  if (read.length > 1 && read.every(({ before, after }) => before !== after))
    for (const { before, after } of read) if (!names.has(after)) names.set(after, before);
  return names;
}

/** Models with new ids that make live relations again: those of the same table, if the others of their schema are live. */
function* renamedIds(
  models: readonly Model[],
  liveNames: ReadonlyMap<string, Urn>,
  names: ReadonlyMap<Urn, Urn>,
): Generator<readonly [Urn, Urn]> {
  const live = new Map([...liveNames.values()].map((urn) => [refOf(urn), urn]));
  const used = new Set(names.values());
  const homes = Map.groupBy(names, ([after]) => schemaOf(after));
  for (const { id, urn } of builtBy(models)) {
    if (liveNames.has(id) || names.has(urn)) continue;
    const found = new Set(homes.get(schemaOf(urn))?.map(([, before]) => schemaOf(before)));
    const [before, ...more] = [...found].flatMap(
      (home) => live.get(home + refOf(urn).slice(schemaOf(urn).length)) ?? [],
    );
    if (before !== undefined && more.length === 0 && !used.has(before)) yield [urn, before];
  }
}

const schemaOf = (urn: Urn): string => refOf(urn).slice(0, refOf(urn).lastIndexOf('.'));

/** The parts of a relation's name that a model's configuration may choose. */
const nameKeys = ['alias', 'schema', 'database'] as const;
const nameIn = ({ settings }: Model, key: (typeof nameKeys)[number]): string | null => settings?.naming?.[key] ?? null;

/** Relations of a branch by the one live relation with their last name part. */
function* namesByTable(
  { declared: { relations } }: Branch,
  { side, producers }: LiveScope,
  names: ReadonlyMap<Urn, Urn>,
): Generator<readonly [Urn, Urn]> {
  const live = relationsOf(side);
  const used = new Set(names.values());
  const byTable = Map.groupBy(
    [...live].filter((urn) => !used.has(urn) && !producers.has(urn)),
    tableOf,
  );
  for (const urn of relations.map(({ node }) => urnOf(node))) {
    if (names.has(urn) || live.has(urn)) continue;
    const [only, ...more] = byTable.get(tableOf(urn)) ?? [];
    if (only !== undefined && more.length === 0) yield [urn, only];
  }
}

const tableOf = (urn: Urn): string => {
  const ref = refOf(urn);
  return ref.slice(ref.lastIndexOf('.') + 1).toLowerCase();
};
