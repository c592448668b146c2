// Which columns of a statement's result differ, or whether its rows do.
import { byName, isNameOfItem, type PrintedRelation } from './prints.ts';

export function attributedDifferences(old: PrintedRelation, now: PrintedRelation) {
  const [before, after] = [byName(old.columns), byName(now.columns)];
  const common = [...before.keys()].filter((name) => after.has(name));
  const columns = common.filter((name) => before.get(name) !== after.get(name));
  const beside = besideStar(old, now);
  if (beside !== null && old.rows === now.rows)
    return { rows: false, columns: [], added: beside, removed: [], isBesideStar: true };
  const isComparable = old.isListed && now.isListed;
  const added = isComparable ? [...after.keys()].filter((name) => !before.has(name)) : [];
  const removed = isComparable ? [...before.keys()].filter((name) => !after.has(name)) : [];
  const isMoved = common.join('\n') !== [...after.keys()].filter((name) => before.has(name)).join('\n');
  const isOpenChanged = unlisted(old) !== unlisted(now) || (!isComparable && before.size !== after.size);
  // Of two columns of one name, readers get either, or the database renames one.
  const isDoubled = [old, now].some(
    (one) => one.columns.filter(({ name }) => name !== null).length > byName(one.columns).size,
  );
  const named = [...columns, ...added, ...removed];
  const isUnexplained = named.length === 0 || named.some(isNameOfItem);
  const rows = old.rows !== now.rows || isMoved || isOpenChanged || isDoubled || isUnexplained;
  return { rows, columns: rows ? [] : columns, added, removed, isBesideStar: false };
}

/** The names of the items that were added to a list with a star; null if anything else is different. */
function besideStar({ columns: old, isListed }: PrintedRelation, { columns: now }: PrintedRelation): string[] | null {
  if (isListed) return null;
  let at = 0;
  const added = now.flatMap((one) => {
    const isNext = one.name === old[at]?.name && one.print === old[at]?.print;
    if (isNext) at++;
    return isNext ? [] : [one.name];
  });
  const names = added.filter((name) => name !== null && !isNameOfItem(name)) as string[];
  const all = [...names, ...old.flatMap(({ name }) => name ?? [])];
  const isOnlyMore = at === old.length && names.length === added.length && names.length > 0;
  return isOnlyMore && new Set(all).size === all.length ? names : null;
}

const unlisted = ({ columns }: PrintedRelation): string =>
  columns.flatMap(({ name, print }) => (name === null ? [print] : [])).join(' ');
