const hourSeconds = 3_600;

/**
 * How often a feed delivers, in seconds: the longest pause between two hours with receipts that it has made at least
 * twice, for one outage is no habit. A feed that sends every night, or not at weekends, is not silent in between.
 * Null while there are fewer than two pauses.
 *
 * @param hours hours since 1970 in which something was received, newest first.
 */
export function cadenceOf(hours: readonly number[]): number | null {
  const pauses = hours.slice(1).map((hour, i) => (hours[i] ?? hour) - hour);
  const [, second] = pauses.sort((a, b) => b - a);
  return second === undefined ? null : second * hourSeconds;
}
