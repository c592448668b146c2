/**
 * A name of the data as code: hosts take neither a mention nor a reference out of it. Cells of a table are split before
 * anything else is read, so that no backslash makes a pipe safe after another one: there every sign is a reference.
 */
export function code(name: string): string {
  const text = seen(name);
  return text !== '' && !/[`|\\]/.test(text) ? `\`${text}\`` : `<code>${text.replace(punctuation, reference)}</code>`;
}

/** A cell of a table; its text has no pipe that is not a reference or escaped. */
export const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const punctuation = /[!-/:-@[-`{-~]/g;
const reference = (sign: string): string => `&#${sign.charCodeAt(0)};`;

/** What a reader does not see and may be misled by: control and format characters, halves of characters, and line ends. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** A text on one line, of which everything is seen. */
export const seen = (text: string): string => text.replace(unseen, ' ');

/** As many of the lines as there is room for in characters, and how many of what are left out. */
export function bounded(lines: readonly string[], what: string, room: number): string[] {
  const more = (count: number) => `\nAnd ${count} more ${what}.`;
  let [used, taken] = [more(lines.length).length + 1, 0];
  for (const line of lines) {
    if (used + line.length + 1 > room) break;
    used += line.length + 1;
    taken++;
  }
  return taken === lines.length ? [...lines] : [...lines.slice(0, taken), more(lines.length - taken)];
}

/** The first of them, and how many more there are. */
export const some = (all: readonly string[], count: number, between: string): string =>
  [...all.slice(0, count), ...(all.length > count ? [`and ${all.length - count} more`] : [])].join(between);

/** A name as the label of a node of a Mermaid graph: what is no letter, digit or plain sign stands as its code. */
export const label = (name: string): string =>
  `"${seen(name).replace(/[^\p{L}\p{N}\p{M} ._/:-]/gu, (sign) => `#${sign.codePointAt(0)};`)}"`;
