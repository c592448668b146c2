import { seen } from './unseen.ts';

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
