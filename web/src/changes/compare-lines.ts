import { diffArrays } from 'diff';

type ComparedLine = { readonly text: string; readonly number: number; readonly differs: boolean };

type Sides = { readonly before: readonly ComparedLine[]; readonly after: readonly ComparedLine[] };

const around = 2;

/** The time grows with the square of the edits. If there are more, all lines count as different. */
const mostEdits = 4_000;

/** The lines that two texts do not have in common, each with a few lines around it. */
export function compareLines(before: string, after: string): Sides {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const isSame = (a: string, b: string) => a.trim() === b.trim();
  const parts = diffArrays(old, now, { comparator: isSame, maxEditLength: mostEdits });
  const differs = (side: 'removed' | 'added', other: 'removed' | 'added') =>
    parts?.filter((part) => !part[other]).flatMap((part) => Array.from({ length: part.count }, () => part[side]));
  return { before: near(old, differs('removed', 'added')), after: near(now, differs('added', 'removed')) };
}

function near(texts: readonly string[], differing: readonly boolean[] | undefined): ComparedLine[] {
  const lines = texts.map((text, i) => ({ text, number: i + 1, differs: differing?.[i] ?? true }));
  const isNear = (i: number) => lines.slice(Math.max(0, i - around), i + around + 1).some(({ differs }) => differs);
  const shown = lines.filter((_, i) => isNear(i));
  // Where the other side only has more, its place is not known here: the beginning stands for it.
  return shown.length > 0 ? shown : lines.slice(0, 2 * around + 1);
}
