import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withoutComments } from '../support/anchors.ts';

/** Lines of code that name a host of code. */
const naming = (file: string): string[] =>
  withoutComments(readFileSync(file, 'utf8'))
    .split('\n')
    .filter((line) => /git-?(hub|lab)\b|git(hub|lab)/i.test(line))
    .map((line) => `${file}: ${line.trim()}`);

describe('the domain', () => {
  it('knows no host of code by its name (C-CODEHOST-16)', () => {
    expect(naming('shared/adapters/codehost/gitlab.ts')).not.toEqual([]);
    expect(globSync('shared/domain/**/*.ts').flatMap(naming)).toEqual([]);
  });
});
