/** The values of one figure in runs that were made in pairs: one before a change, one after it. */
export type Pair = { readonly before: number; readonly after: number };

export type Comparison = {
  readonly pairs: number;
  readonly before: number;
  readonly after: number;
  /** The median of the pairs' ratios, after by before, and the least and greatest of them. */
  readonly ratio: number;
  readonly least: number;
  readonly greatest: number;
  /** How probable so one-sided a result is where nothing has changed. */
  readonly chance: number;
  /** How probable it was before, if nothing has changed, that the verdict would be a change; 0 of exact figures. */
  readonly false_alarm: number;
  /** `too few`: of so few pairs that differ, no difference could be distinguished from noise. */
  readonly verdict: 'same' | 'too few' | 'noise' | 'change';
};

/** A result that comes by chance less often than this is no noise. */
const significant = 0.05;

/**
 * Tells a change from noise by an exact sign test: what else a machine does weighs on both runs of a pair alike, and
 * where nothing has changed the later run is as often the better as the worse.
 */
export function comparePairs(pairs: readonly Pair[]): Comparison {
  const ratios = pairs.map(({ before, after }) => (before === after ? 1 : after / before));
  const [up, down] = [ratios.filter((one) => one > 1).length, ratios.filter((one) => one < 1).length];
  const chance = chanceOf(Math.min(up, down), up + down);
  const false_alarm = falseAlarmOf(up + down);
  return {
    pairs: pairs.length,
    before: median(pairs.map(({ before }) => before)),
    after: median(pairs.map(({ after }) => after)),
    ratio: median(ratios),
    least: Math.min(...ratios),
    greatest: Math.max(...ratios),
    chance,
    false_alarm,
    verdict: up + down === 0 ? 'same' : false_alarm === 0 ? 'too few' : chance < significant ? 'change' : 'noise',
  };
}

/** The probability that this many coin tosses have at most the given number on the rarer side. */
function chanceOf(rarer: number, throws: number): number {
  let [ways, sum] = [1, 0];
  for (let k = 0; k <= rarer; k++) {
    sum += ways;
    ways = (ways * (throws - k)) / (k + 1);
  }
  return Math.min(1, (2 * sum) / 2 ** throws);
}

/** How often this many throws of a coin are called a change. */
function falseAlarmOf(throws: number): number {
  const called = Array.from({ length: throws + 1 }, (_, rarer) => chanceOf(rarer, throws)).filter(
    (chance) => chance < significant,
  );
  return Math.max(0, ...called);
}

/** Of an even number of values, the mean of the two in the middle. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
