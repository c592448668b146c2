// Which relations hold the same after a branch, although something that they read is different.
import type { Urn } from '../../graph/node.ts';
import { inDependencyOrder } from '../../sources/models/dependencies.ts';
import { compareContents, unknownContents } from '../../sql/compare/compare-contents.ts';
import type { Contents } from '../../sql/compare/prints.ts';
import type { SqlParser } from '../../sql/types.ts';
import { type ComparedModels, type ComparedPair, versionOf } from './compare-models.ts';

type Altered = { readonly before: Contents; readonly after: Contents };

/**
 * Follows what a branch makes different from model to model: each statement is compared with itself over both versions of
 * what it reads. It decides from statements only, so a model that cannot be compared, or that keeps rows of earlier runs,
 * passes everything on. Parses all models downstream of a change.
 */
export function unalteredRelations(
  parser: SqlParser,
  { pairs, differences }: Pick<ComparedModels, 'pairs' | 'differences'>,
): ReadonlySet<Urn> {
  const changed = new Map(differences.map((one) => [one.relation, one]));
  const byId = new Map(pairs.map((pair) => [pair.after.model.id, pair]));
  const altered = new Map<string, Altered>();
  const unaltered = new Set<Urn>();
  const [project] = pairs.map(({ after }) => after.side.project);
  for (const { id } of inDependencyOrder(project?.models ?? [])) {
    const pair = byId.get(id);
    const own = pair && changed.get(pair.relation);
    const found = pair ? contentsOf(parser, pair, altered, own) : unknownContents;
    if (found !== null) altered.set(id, found);
    else if (pair) unaltered.add(pair.relation);
  }
  return unaltered;
}

/** Null if both versions hold the same. */
function contentsOf(
  parser: SqlParser,
  { before, after }: ComparedPair,
  altered: ReadonlyMap<string, Altered>,
  own: ComparedModels['differences'][number] | undefined,
): Altered | null {
  const reads = [before, after].flatMap(({ side, model }) => side.dependencies(model).relations);
  const isWrittenOtherwise = own !== undefined && own.statement?.kind !== 'same' && own.statement !== null;
  const isSetOtherwise = own?.settings.some(({ rows }) => rows) ?? false;
  if (!isWrittenOtherwise && !isSetOtherwise && !reads.some(({ id }) => altered.has(id))) return null;
  const isRebuilt = [before, after].every(({ model }) => rebuilt.has(model.settings?.materialized ?? ''));
  if (isSetOtherwise || !isRebuilt || own?.statement?.kind === 'not_compared') return unknownContents;
  const old = versionOf(before, (id) => altered.get(id)?.before);
  const now = versionOf(after, (id) => altered.get(id)?.after);
  const found = old && now && compareContents(parser, old, now);
  return found === null ? unknownContents : found.isSame ? null : found;
}

/** What dbt builds from nothing but the statement, in each run. */
const rebuilt: ReadonlySet<string> = new Set(['table', 'view']);
