import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An edit of one file of the project: a passage that occurs there once is replaced, or the file is written or removed. */
type Edit =
  | { readonly file: string; readonly find: string; readonly put: string }
  | { readonly file: string; readonly write: string }
  | { readonly file: string; readonly remove: true };

/** A change to the project. It states no expectation: executing it says what differs. */
export type Change = { readonly name: string; readonly kind: string; readonly edits: readonly Edit[] };

/**
 * A change is a line `kind: name` and its edits: "  FILE: `passage` => `replacement`", "  FILE: removed", or
 * "  FILE: written" with the file's lines behind "  | ". A `\n` in a passage is the end of a line.
 */
function readChanges(name: string): readonly Change[] {
  const text = readFileSync(path.join(import.meta.dirname, 'changes', `${name}.txt`), 'utf8');
  return text.split(/\n(?=\S)/).map((change) => {
    const [head = '', ...edits] = change.trimEnd().split(/\n {2}(?!\|)/);
    const [kind = '', ...words] = head.split(': ');
    return { kind, name: words.join(': '), edits: edits.map(readEdit) };
  });
}

function readEdit(text: string): Edit {
  const [, file = '', find = '', put = ''] = /^(\S+): `(.*)` => `(.*)`$/.exec(text) ?? [];
  if (file) return { file, find: find.replaceAll('\\n', '\n'), put: put.replaceAll('\\n', '\n') };
  const [line = '', ...lines] = text.split(/\n {2}\| ?/);
  const [place = '', what] = line.split(': ');
  if (what === 'removed') return { file: place, remove: true };
  if (what === 'written') return { file: place, write: `${lines.join('\n')}\n` };
  throw new Error(`Not an edit: ${text}`);
}

export const changes = readChanges('known');
/** Changes that nobody looked at while the report was mended, so that their figures show whether the rules are rules. */
export const heldOutChanges = readChanges('held-out');
