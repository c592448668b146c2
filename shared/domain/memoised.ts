/**
 * A pure function of a text that remembers at least the last `entries` results it gave, and at most twice as many. There
 * are two generations and no order of use: to keep that costs more than to look a result up. The texts are copied: one that
 * is part of another, as of an answer of a store, keeps the whole of it.
 */
export function memoised<Text extends string, Result extends {}>(
  entries: number,
  compute: (text: Text) => Result,
): (text: Text) => Result {
  let [recent, older] = [new Map<Text, Result>(), new Map<Text, Result>()];
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const copy = copyOf(text);
    const result = older.get(copy) ?? compute(copy);
    if (recent.size >= entries) [recent, older] = [new Map(), recent];
    recent.set(copy, result);
    return result;
  };
}

const copyOf = <Text extends string>(text: Text): Text => JSON.parse(JSON.stringify(text)) as Text;
