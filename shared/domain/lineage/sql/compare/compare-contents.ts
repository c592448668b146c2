// What two versions of a statement hold, if the relations that they read hold something else in each version too.
import { type Budget, BudgetExceeded, spendFrom } from '../../../base/budget.ts';
import { comparisonSteps, countTokens } from '../budget.ts';
import type { SqlParser } from '../types.ts';
import { parsedVersion, printedVersion, provable, type StatementVersion, spelledNames } from './compare-statements.ts';
import { sameWordsLeftOut } from './missing-words.ts';
import { byName, type Contents, type Key, type PrintedRelation, printTable } from './prints.ts';
import { isProvenSame } from './proof/prove-same.ts';

export type BothContents = { readonly before: Contents; readonly after: Contents };

/** Null if it is not known. `proofs`: the steps of all proofs, which may inline what a statement reads. */
export function compareContents(
  parser: SqlParser,
  before: StatementVersion,
  after: StatementVersion,
  proofs: Budget,
): BothContents | 'same' | null {
  try {
    const spend = spendFrom([{ left: comparisonSteps }]);
    if ([before, after].some(({ text }) => countTokens(text) === null)) return null;
    const old = parsedVersion(parser, before);
    const now =
      before.text === after.text && typeof old !== 'string' ? { ...old, ...after } : parsedVersion(parser, after);
    if (typeof old === 'string' || typeof now === 'string') return null;
    const printer = { print: printTable(spend), spend };
    const was = printedVersion(parser, { ...printer, contentsOf: 'before' }, old, true);
    const is = printedVersion(parser, { ...printer, contentsOf: 'after' }, now, true);
    if (spelledNames(old) !== spelledNames(now) || !sameWordsLeftOut(parser, old, now)) return null;
    const readsNoOther = [...is.columnsRead].every((one) => was.columnsRead.has(one));
    const isPrintedAlike = readsNoOther && was.whole === is.whole;
    if (isPrintedAlike || isProvenSame(provable(parser, old), provable(parser, now), [proofs])) return 'same';
    return readsNoOther ? labelledContents(was.relation, is.relation) : null;
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    throw error;
  }
}

/** The columns of a statement's result, and its key. */
export function contentsOfStatement(parser: SqlParser, version: StatementVersion): Contents | null {
  const parsed = countTokens(version.text) === null ? '' : parsedVersion(parser, version);
  if (typeof parsed === 'string') return null;
  const spend = spendFrom([{ left: comparisonSteps }]);
  const printer = { print: printTable(spend), spend, contentsOf: 'after' } as const;
  const { relation } = printedVersion(parser, printer, parsed, true);
  const names = [...byName(relation.columns).keys()];
  const isKnown = relation.isListed && names.length === relation.columns.length;
  return {
    rows: 'same',
    columns: isKnown ? names.map((name) => ({ name, label: name })) : null,
    key: relation.key ?? null,
  };
}

/** A column of the later version has the label of the earlier column that holds the same. */
function labelledContents(old: PrintedRelation, now: PrintedRelation): BothContents {
  const hasSameRows = old.rows === now.rows;
  const [was, is] = [byName(old.columns), byName(now.columns)];
  const labels = new Map([...was].toReversed().map(([name, print]) => [print, name]));
  const labelOf = (name: string, print: string) => {
    const same = was.get(name) === print ? name : labels.get(print);
    return hasSameRows && same !== undefined ? same : `${name}\nafter`;
  };
  const key: Key = (among) => {
    const [first, second] = [old.key?.(among), now.key?.(among)];
    return first && second && first.join('\n') === second.join('\n') ? first : null;
  };
  const before = { rows: 'before', columns: [...was.keys()].map((name) => ({ name, label: name })), key };
  const columns = [...is].map(([name, print]) => ({ name, label: labelOf(name, print) }));
  if (![old, now].every((one) => one.isListed && byName(one.columns).size === one.columns.length))
    return unknownContents;
  return { before, after: { rows: hasSameRows ? 'before' : 'after', columns, key } };
}

export const unknownContents: BothContents = {
  before: { rows: 'before', columns: null, key: null },
  after: { rows: 'after', columns: null, key: null },
};
