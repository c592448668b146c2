type ComparedLine = { readonly text: string; readonly number: number; readonly differs: boolean };

type Sides = { readonly before: readonly ComparedLine[]; readonly after: readonly ComparedLine[] };

const around = 2;

/** The lines that two texts do not have in common, each with a few lines around it. */
export function compareLines(before: string, after: string): Sides {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const common = commonLines(old, now);
  return { before: near(old, new Set(common.map(([i]) => i))), after: near(now, new Set(common.map(([, j]) => j))) };
}

function near(texts: readonly string[], common: ReadonlySet<number>): ComparedLine[] {
  const lines = texts.map((text, i) => ({ text, number: i + 1, differs: !common.has(i) }));
  const isNear = (i: number) => lines.slice(Math.max(0, i - around), i + around + 1).some(({ differs }) => differs);
  const shown = lines.filter((_, i) => isNear(i));
  // Where the other side only has more, its place is not known here: the beginning stands for it.
  return shown.length > 0 ? shown : lines.slice(0, 2 * around + 1);
}

/** The longest common subsequence of lines, by their places. */
function commonLines(old: readonly string[], now: readonly string[]): (readonly [number, number])[] {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  const isSame = (i: number, j: number) => old[i]?.trim() === now[j]?.trim();
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] = isSame(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const common: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < old.length && j < now.length; )
    if (isSame(i, j)) common.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  return common;
}
