// What two versions of a statement hold, if the relations that they read hold something else in each version too.
import { BudgetExceeded, spendFrom } from '../../../base/budget.ts';
import { comparisonSteps, countTokens } from '../budget.ts';
import type { SqlParser } from '../types.ts';
import { byName } from './attribute-differences.ts';
import { parsedVersion, printedVersion, type StatementVersion, spelledNames } from './compare-statements.ts';
import { sameWordsLeftOut } from './missing-words.ts';
import { type Contents, type PrintedRelation, printTable } from './prints.ts';

/** Null if it is not known. */
export function compareContents(
  parser: SqlParser,
  before: StatementVersion,
  after: StatementVersion,
): { readonly isSame: boolean; readonly before: Contents; readonly after: Contents } | null {
  try {
    const spend = spendFrom([{ left: comparisonSteps }]);
    if ([before, after].some(({ text }) => countTokens(text) === null)) return null;
    const old = parsedVersion(parser, before);
    const now =
      before.text === after.text && typeof old !== 'string' ? { ...old, ...after } : parsedVersion(parser, after);
    if (typeof old === 'string' || typeof now === 'string') return null;
    const printer = { print: printTable(spend), spend, keepsRows: true };
    const [was, is] = [printedVersion(parser, printer, old, true), printedVersion(parser, printer, now, true)];
    const readsNoOther = [...is.columnsRead].every((one) => was.columnsRead.has(one));
    if (!readsNoOther || spelledNames(old) !== spelledNames(now) || !sameWordsLeftOut(parser, old, now)) return null;
    return { isSame: was.whole === is.whole, ...labelledContents(was.relation, is.relation) };
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    throw error;
  }
}

/** A column of the later version has the label of the earlier column that holds the same. */
function labelledContents(old: PrintedRelation, now: PrintedRelation) {
  const hasSameRows = old.rows === now.rows;
  const [was, is] = [byName(old), byName(now)];
  const labels = new Map([...was].toReversed().map(([name, print]) => [print, name]));
  const labelOf = (name: string, print: string) => {
    const same = was.get(name) === print ? name : labels.get(print);
    return hasSameRows && same !== undefined ? same : `${name}\nafter`;
  };
  const key = old.key && now.key && old.key.join('\n') === now.key.join('\n') ? old.key : null;
  const before = { rows: 'before', columns: [...was.keys()].map((name) => ({ name, label: name })), key };
  const columns = [...is].map(([name, print]) => ({ name, label: labelOf(name, print) }));
  if (![old, now].every((one) => one.isListed && byName(one).size === one.columns.length)) return unknownContents;
  return { before, after: { rows: hasSameRows ? 'before' : 'after', columns, key } };
}

export const unknownContents: Readonly<Record<'before' | 'after', Contents>> = {
  before: { rows: 'before', columns: null, key: null },
  after: { rows: 'after', columns: null, key: null },
};
