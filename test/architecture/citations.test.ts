import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  anchorsIn,
  citationsIn,
  decisionsIn,
  foreignCitationsIn,
  type SourceFile,
  sourcesIn,
  withoutComments,
} from '../support/anchors.ts';

const contract = sourcesIn('docs/contract', ['.md']);
const definitions = [...contract, ...sourcesIn('docs/graph.md', [])].flatMap(({ text }) => anchorsIn(text));
const anchors: ReadonlySet<string> = new Set(definitions);

const code = ['bin', 'lib', 'functions', 'shared', 'local', 'cli', 'sdk', 'scripts', 'bench', 'test'];
const endings = ['.ts', '.js', '.mjs'];
/** This file and its helper spell anchors to show what is found. */
const own = /citations\.test\.ts$|anchors\.ts$/;
const sources = code.flatMap((folder) => sourcesIn(folder, endings)).filter(({ file }) => !own.test(file));
const documents = [
  ...sourcesIn('docs', ['.md']),
  ...['README.md', 'CONTRIBUTING.md'].flatMap((file) => sourcesIn(file, [])),
];

const each = (files: readonly SourceFile[], find: (text: string) => readonly (string | number)[]): string[] =>
  files.flatMap(({ file, text }) => find(text).map((found) => `${file}: ${found}`));

describe('citations', () => {
  it('find a definition, a citation, a range and a citation of a missing file', () => {
    expect(anchorsIn('- **C-INGEST-1** One.\nSee **C-INGEST-2**.\n- **G-PAGE-3** Two.')).toEqual([
      'C-INGEST-1',
      'G-PAGE-3',
    ]);
    expect(citationsIn('C-INGEST-1, G-S3-2 and C-LIMIT-2 to C-LIMIT-4.')).toEqual([
      'C-INGEST-1',
      'G-S3-2',
      'C-LIMIT-2',
      'C-LIMIT-3',
      'C-LIMIT-4',
    ]);
    expect(foreignCitationsIn('as decisions 5 and specification 4.2 say')).toHaveLength(2);
    expect(decisionsIn('so it is (ADR 20)')).toEqual([20]);
  });

  it('resolve: each anchor that code or a document names is defined', () => {
    expect(
      each([...sources, ...documents], (text) => citationsIn(text).filter((anchor) => !anchors.has(anchor))),
    ).toEqual([]);
  });

  it('are unambiguous: no anchor is defined twice', () => {
    expect(definitions.filter((anchor, i) => definitions.indexOf(anchor) !== i)).toEqual([]);
  });

  it('name no document outside the repository by a number', () => {
    expect(each([...sources, ...documents], foreignCitationsIn)).toEqual([]);
  });

  it('name only ADRs that there are', () => {
    const numbers = new Set(
      readdirSync(path.resolve(import.meta.dirname, '..', '..', 'docs', 'adr')).map((file) =>
        Number.parseInt(file, 10),
      ),
    );
    expect(each([...sources, ...documents], (text) => decisionsIn(text).filter((n) => !numbers.has(n)))).toEqual([]);
  });
});

describe('the rules of the contract', () => {
  const rules = contract.flatMap(({ text }) => anchorsIn(text));
  const tests = sourcesIn('test', ['.test.ts']).filter(({ file }) => !own.test(file));
  const named = new Set(tests.flatMap(({ text }) => citationsIn(withoutComments(text))));

  it('are each named by a test', () => {
    expect(rules.filter((rule) => !named.has(rule))).toEqual([]);
  });
});
