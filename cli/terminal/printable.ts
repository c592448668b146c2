/**
 * What a terminal acts on or hides instead of showing: control characters (C0 without line feed, DEL, C1), format
 * characters (marks that reorder text, invisible ones), line and paragraph separators, and halves of characters.
 */
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Text of the data for a terminal, on one line: what a terminal would act on stands as its escape (`\u001b`). */
export const printable = (text: string): string => printableLines(text).replaceAll('\n', '\\n');

/** The same, but line feeds stay: for text of several lines such as SQL. Tabs become two spaces. */
export const printableLines = (text: string): string => text.replaceAll('\t', '  ').replace(unprintable, escaped);

/** A value as JSON that a terminal may show: JSON leaves DEL, C1 and marks that reorder text as they are. */
export const printableJson = (value: unknown, indent?: number): string =>
  printableJsonText(JSON.stringify(value, null, indent));

/** JSON text that a terminal may show; it means the same. */
export const printableJsonText = (json: string): string => json.replace(unprintable, escaped);

/** As JSON escapes it: by its one or two UTF-16 units. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit).toString(16).padStart(4, '0'))
    .map((digits) => `\\u${digits}`)
    .join('');
