/** The characters that JSON's grammar is made of, by their codes: one byte each in UTF-8. */
const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
export const space = 32;
export const quote = 34;
export const comma = 44;
export const colon = 58;
export const openBracket = 91;
export const backslash = 92;
export const closeBracket = 93;
export const openBrace = 123;
export const closeBrace = 125;

export const oneSpace = new Uint8Array([space]);

/** Which bytes mean something outside of strings: most of a text is passed over by one look-up. */
export const isStructural = new Uint8Array(256);
for (const byte of [quote, openBrace, openBracket, closeBrace, closeBracket, comma, colon]) isStructural[byte] = 1;

/** What RFC 8259 lets stand between tokens, from a place to the end. */
export function isWhitespace(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== space && byte !== tab && byte !== lineFeed && byte !== carriageReturn) return false;
  }
  return true;
}
