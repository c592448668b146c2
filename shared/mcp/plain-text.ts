/**
 * What no answer has as it is: characters that are not seen or that reorder text, which may hide instructions or change
 * how a name looks, and what begins a tag, a picture or the target of a link in HTML and Markdown.
 */
const harmful =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Variation_Selector}\u2028\u2029]|<(?=[a-z/!?])|!(?=\[)|(?<=\])\(|\\(?=u\{)/giu;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** A value with every text in it made harmless (C-AGENT-8). Each escape can be undone, so names stay names. */
export function madeHarmless(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(harmful, escaped);
  if (Array.isArray(value)) return value.map(madeHarmless);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.replace(harmful, escaped), madeHarmless(inner)]),
  );
}

/** Arguments with names as they were before an answer made them harmless. */
export function asWritten(input: unknown): unknown {
  if (typeof input === 'string') return input.replace(/\\u\{([0-9a-f]{1,6})\}/gi, unescaped);
  if (Array.isArray(input)) return input.map(asWritten);
  return isArguments(input) ? Object.fromEntries(Object.entries(input).map(unescapedEntry)) : input;
}

const unescaped = (written: string, digits: string): string => {
  const codePoint = Number.parseInt(digits, 16);
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : written;
};

const isArguments = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null;

/** Documents and files of a branch are not names of an answer: they stay as they are. */
const unescapedEntry = ([name, value]: readonly [string, unknown]) => [
  name,
  holdsObject(value) ? value : asWritten(value),
];

const holdsObject = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(holdsObject) : typeof value === 'object' && value !== null;
