/**
 * A pure function of a text that remembers at least the last `entries` results it gave, and at most twice as many. There
 * are two generations and no order of use: to keep that costs more than to look a result up.
 */
export function memoised<Text extends string, Result extends {}>(
  entries: number,
  compute: (text: Text) => Result,
): (text: Text) => Result {
  let [recent, older] = [new Map<Text, Result>(), new Map<Text, Result>()];
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const result = older.get(text) ?? compute(text);
    if (recent.size >= entries) [recent, older] = [new Map(), recent];
    recent.set(text, result);
    return result;
  };
}
