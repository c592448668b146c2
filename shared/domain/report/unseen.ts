/** What a reader does not see and may be misled by: control and format characters, halves of characters, and line ends. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** A text on one line, of which everything is seen. */
export const seen = (text: string): string => text.replace(unseen, ' ');
