import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');

/** Where rules are defined: a list item that begins with its anchor in bold. */
const definition = /^- \*\*([CG]-[A-Z][A-Z0-9]*-\d+)\*\*/gm;

/** A citation, or a range of them: `C-INGEST-4`, `C-INGEST-4 to C-INGEST-6`. */
const citation = /\b([CG]-[A-Z][A-Z0-9]*)-(\d+)\b(?: to \1-(\d+)\b)?/g;

/** Numbered citations of documents that are not in the repository. */
const foreign = /\b(?:decisions? \d|specification,? \d|spec \d)/gi;

/** The anchors that a document defines, in its order. */
export const anchorsIn = (text: string): string[] => [...text.matchAll(definition)].map(([, anchor = '']) => anchor);

/** The anchors that a text cites; a range cites all of it. */
export const citationsIn = (text: string): string[] =>
  [...text.matchAll(citation)].flatMap(([, family = '', first = '', last = first]) =>
    Array.from({ length: Math.max(1, Number(last) - Number(first) + 1) }, (_, i) => `${family}-${Number(first) + i}`),
  );

export const foreignCitationsIn = (text: string): string[] => text.match(foreign) ?? [];

/** The numbers of the ADRs that a text cites as `ADR 7`. */
export const decisionsIn = (text: string): number[] => [...text.matchAll(/\bADR (\d+)\b/g)].map(([, n]) => Number(n));

/** Source text without its comments: what is left of a test file names a rule in the name of a test. */
export const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

export type SourceFile = { readonly file: string; readonly text: string };

/** The files below a folder, or the one file, whose names end in one of `endings`, without what is generated. */
export function sourcesIn(folder: string, endings: readonly string[]): SourceFile[] {
  const full = path.join(root, folder);
  if (statSync(full).isFile()) return [{ file: folder, text: readFileSync(full, 'utf8') }];
  return readdirSync(full, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        endings.some((ending) => name.endsWith(ending)) && !/(^|[/\\])(generated|schemas|node_modules)[/\\]/.test(name),
    )
    .sort()
    .map((name) => ({ file: path.join(folder, name), text: readFileSync(path.join(full, name), 'utf8') }));
}
