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

const isSame = (a = '', b = ''): boolean => a.trim() === b.trim();

type Place = readonly [before: number, after: number];

/** Pairs of lines that are compared: 16 MB. Beyond, all between the first and the last difference counts as different. */
const mostPairs = 4_000_000;

/** The places of common lines: those at both ends, and between them the longest common subsequence. */
function commonLines(old: readonly string[], now: readonly string[]): Place[] {
  const shorter = Math.min(old.length, now.length);
  let [head, tail] = [0, 0];
  while (head < shorter && isSame(old[head], now[head])) head++;
  while (tail < shorter - head && isSame(old.at(-1 - tail), now.at(-1 - tail))) tail++;
  const [before, after] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const between = before.length * after.length > mostPairs ? [] : commonSubsequence(before, after);
  return [
    ...Array.from({ length: head }, (_, i): Place => [i, i]),
    ...between.map(([i, j]): Place => [i + head, j + head]),
    ...Array.from({ length: tail }, (_, i): Place => [old.length - tail + i, now.length - tail + i]),
  ];
}

function commonSubsequence(old: readonly string[], now: readonly string[]): Place[] {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] = isSame(old[i], now[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const common: Place[] = [];
  for (let [i, j] = [0, 0]; i < old.length && j < now.length; )
    if (isSame(old[i], now[j])) common.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  return common;
}
