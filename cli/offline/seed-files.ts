// The files of a project's seeds, whose rows the manifest does not hold.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../shared/domain/base/digest.ts';
import type { SeedText } from '../../shared/domain/lineage/queries/diff/seed-contents.ts';
import { artifactFiles } from '../push/dbt-artifacts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type BaseOptions, fileOfCommit } from './base-artifacts.ts';

/** Of a larger seed dbt's checksum is one of its path. */
const mostBytes = 1024 * 1024;

/** Reads seeds of the projects around the artifacts at these places, or of the commit of --base-ref. */
export function seedFiles(terminal: Terminal, project: string, { base, baseRef }: BaseOptions): SeedText {
  const places = [project, ...(base === undefined ? [] : [base])];
  const folders = places.flatMap((place) => {
    const folder = path.resolve(terminal.folder, path.dirname(artifactFiles(terminal, place).file));
    return [path.dirname(folder), folder];
  });
  const inCommit = baseRef === undefined ? null : path.resolve(terminal.folder, project);
  return (digest, file) => {
    const texts = folders.map((folder) => () => textOf(path.join(folder, file)));
    if (inCommit && baseRef !== undefined) texts.push(() => fileOfCommit(inCommit, baseRef, file));
    for (const read of texts) {
      const text = read();
      // dbt leaves out the white space around the text.
      if (text !== null && [text, text.trim()].some((one) => sha256(one).toString('hex') === digest)) return text;
    }
    return null;
  };
}

function textOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= mostBytes ? readFileSync(file, 'utf8') : null;
}
