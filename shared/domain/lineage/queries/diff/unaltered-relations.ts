// Which relations hold the same after a branch, although something that they read is different.
import type { Budget } from '../../../base/budget.ts';
import { findOrAdd } from '../../../base/collections.ts';
import type { Urn } from '../../graph/node.ts';
import { inDependencyOrder } from '../../sources/models/dependencies.ts';
import {
  type BothContents,
  compareContents,
  contentsOfStatement,
  unknownContents,
} from '../../sql/compare/compare-contents.ts';
import type { StatementVersion } from '../../sql/compare/compare-statements.ts';
import type { Contents, Key } from '../../sql/compare/prints.ts';
import { nameRulesOf } from '../../sql/name-rules.ts';
import type { SqlParser } from '../../sql/types.ts';
import { type ComparedModels, type ComparedPair, type Sided, versionOf } from './compare-models.ts';
import { bothSeedContents, readSeed, type Seed, type SeedText, seedConstants, seedContents } from './seed-contents.ts';

/** Some seconds for all proofs of a comparison. */
const stepsOfProofs = 10_000_000;

/**
 * Follows what a branch makes different from model to model: each statement is compared with itself over both versions of
 * what it reads. It decides from statements and the files of seeds only, so a model that cannot be compared, or that keeps
 * rows of earlier runs, passes everything on. Parses all models downstream of a change.
 */
export function unalteredRelations(
  parser: SqlParser,
  { pairs, differences }: Pick<ComparedModels, 'pairs' | 'differences'>,
  seedText: SeedText,
): ReadonlySet<Urn> {
  const changed = new Map(differences.map((one) => [one.relation, one]));
  const byId = new Map(pairs.map((pair) => [pair.after.model.id, pair]));
  const altered = new Map<string, BothContents>();
  const proofs = { left: stepsOfProofs };
  const seed = seedReader(seedText);
  const inBoth = new Set(pairs.flatMap(({ before, after }) => [before.model.id, after.model.id]));
  const comparing = { parser, proofs, altered, seed, version: versionReader({ parser, seed, inBoth }, altered) };
  const unaltered = new Set<Urn>();
  const [project] = pairs.map(({ after }) => after.side.project);
  for (const { id } of inDependencyOrder(project?.models ?? [])) {
    const pair = byId.get(id);
    const own = pair && changed.get(pair.relation);
    const found = pair ? contentsOf(comparing, pair, own) : unknownContents;
    if (found !== null) altered.set(id, found);
    else if (pair) unaltered.add(pair.relation);
  }
  return unaltered;
}

type Reading = { readonly time: keyof BothContents; readonly isListed: boolean; readonly seen: Set<string> };
type Version = (made: Sided, reading: Reading) => StatementVersion | null;
type Comparing = {
  readonly parser: SqlParser;
  readonly proofs: Budget;
  readonly altered: ReadonlyMap<string, BothContents>;
  readonly seed: ReadSeed;
  readonly version: Version;
};
type ReadSeed = (made: Sided) => Seed | null;

/** Null if both versions hold the same. */
function contentsOf(
  { parser, proofs, altered, seed, version }: Comparing,
  { before, after }: ComparedPair,
  own: ComparedModels['differences'][number] | undefined,
): BothContents | null {
  const reads = [before, after].flatMap(({ side, model }) => side.dependencies(model).relations);
  const isWrittenOtherwise = own !== undefined && own.statement?.kind !== 'same' && own.statement !== null;
  const isSetOtherwise = own?.settings.some(({ rows }) => rows) ?? false;
  if (!isWrittenOtherwise && !isSetOtherwise && !reads.some(({ id }) => altered.has(id))) return null;
  if (isSetOtherwise) return unknownContents;
  if (own?.statement?.kind === 'not_compared') {
    const [was, is] = [seed(before), seed(after)];
    return was && is ? bothSeedContents(was, is) : unknownContents;
  }
  const compared = (isListed: boolean) => {
    const seen = new Set<string>();
    const old = version(before, { time: 'before', isListed, seen });
    const now = version(after, { time: 'after', isListed, seen });
    const result = old && now && compareContents(parser, old, now, proofs);
    // What the statement does not name was read when it was compiled.
    return reads.every(({ id }) => seen.has(id) || !altered.has(id)) ? result : null;
  };
  // A column that only one version reads may not be there, and one of two relations may have it: listing takes time.
  const unlisted = compared(false);
  const found = unlisted === 'same' ? unlisted : (compared(true) ?? unlisted);
  return found === 'same' ? null : (found ?? unknownContents);
}

function seedReader(seedText: SeedText): ReadSeed {
  const known = new Map<Sided['model'], Seed | null>();
  return ({ side, model }) =>
    findOrAdd(known, model, () => {
      const models = model.settings?.seedFile ? side.project.models : [];
      const [dialect] = models.flatMap(({ statement }) => (statement.kind === 'sql' ? statement.dialects : []));
      return dialect ? readSeed(seedText, nameRulesOf(dialect), model) : null;
    });
}

/** What dbt builds from nothing but the statement, in each run. */
const isRebuilt = ({ model }: Sided): boolean => ['table', 'view'].includes(model.settings?.materialized ?? '');

/** Reads the statement of a rebuilt model, with its known inputs. */
function versionReader(
  { parser, seed, inBoth }: Pick<Comparing, 'parser' | 'seed'> & { readonly inBoth: ReadonlySet<string> },
  altered: Comparing['altered'],
): Version {
  const known = new Map<Sided['model'], Contents | null>();
  const stated = (made: Sided): Contents | null =>
    findOrAdd(known, made.model, () => {
      const text = isRebuilt(made)
        ? versionOf(made, (read) => ({ contents: stated(read), key: null, madeBy: null }))
        : null;
      const rows = text ? null : seed(made);
      return text ? contentsOfStatement(parser, text) : rows && seedContents(rows);
    });
  const version: Version = (made, reading) => {
    if (!isRebuilt(made)) return null;
    return versionOf(made, (read) => {
      reading.seen.add(read.model.id);
      const both = altered.get(read.model.id);
      const isInBoth = inBoth.has(read.model.id) || !isRebuilt(read);
      const madeBy = () =>
        both === unknownContents && isInBoth ? null : version(read, { ...reading, seen: new Set() });
      const rows = both === unknownContents || isRebuilt(read) ? null : seed(read);
      const constants = rows && seedConstants(rows);
      if (both) return { contents: both[reading.time], key: null, constants, madeBy };
      const key: Key = (among) => stated(read)?.key?.(among) ?? null;
      const contents = reading.isListed ? stated(read) : null;
      return { contents, key, constants, has: read.side.typesOf(read.model), madeBy: isInBoth ? null : madeBy };
    });
  };
  return version;
}
