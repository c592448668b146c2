import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownersBy } from '../../../shared/domain/codehost/pull-requests/model-files.ts';

const ownersIn = (text: string, path: string) => ownersBy(Buffer.from(text), 'one_list')(path);

describe('the owners of a path (C-CODEHOST-11)', () => {
  it.each([
    ['*', 'a/b.sql', true],
    ['*.sql', 'models/marts/a.sql', true],
    ['*.sql', 'models/a.sqlx', false],
    ['/build/logs/', 'build/logs/deep/x', true],
    ['/build/logs/', 'a/build/logs/x', false],
    ['/build/logs/', 'build/logs', false],
    ['docs/*', 'docs/a.md', true],
    ['docs/*', 'docs/deep/a.md', false],
    ['docs/*', 'a/docs/a.md', false],
    ['apps/', 'x/apps/y/z', true],
    ['apps/', 'x/apps', false],
    ['/docs/', 'docs/a', true],
    ['**/logs', 'deep/down/logs/x', true],
    ['**/logs', 'logs', true],
    ['/models/**/staging/', 'models/a/b/staging/x.sql', true],
    ['/models/**/staging/', 'models/staging/x.sql', true],
    ['/models/**', 'models/a/b.sql', true],
    ['/models/**', 'other/b.sql', false],
    ['models/a?.sql', 'models/ab.sql', true],
    ['models/a?.sql', 'models/a.sql', false],
    ['/models', 'models/a.sql', true],
    ['/Models', 'models/a.sql', false],
    ['my\\ models/', 'my models/a.sql', true],
  ])('are those of %s at %s: %s', (pattern, path, isOwned) => {
    expect(ownersIn(`${pattern} @org/team`, path)).toEqual(isOwned ? ['@org/team'] : []);
  });

  it('are those of the last rule that fits, and nobody’s if that names none', () => {
    const text = '* @all\r\n/apps/ @one two@org.test # the team\r\n\r\n# /apps/ @comment\n/apps/free\n';
    expect(ownersIn(text, 'x')).toEqual(['@all']);
    expect(ownersIn(text, 'apps/x')).toEqual(['@one', 'two@org.test']);
    expect(ownersIn(text, 'apps/free/x')).toEqual([]);
  });

  it('are not read from patterns that the host does not support', () => {
    for (const line of ['!a.sql @x', '[Section] @x', '^[Section] @x', 'a[.]sql @x', '\\#a @x', '# @x'])
      expect(ownersIn(line, 'a.sql'), line).toEqual([]);
    expect(ownersIn(`* @x\n${'#'.repeat(3 * 1024 * 1024)}`, 'a.sql')).toEqual([]);
  });

  it('are the same of a pattern without signs as of a beginning of the path', () => {
    const name = fc.stringMatching(/^[a-z.]{1,4}$/);
    const names = fc.array(name, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(names, names, (pattern, parts) => {
        const isBelow = pattern.every((one, i) => parts[i] === one);
        expect(ownersIn(`/${pattern.join('/')} @x`, parts.join('/'))).toEqual(isBelow ? ['@x'] : []);
      }),
    );
  });

  it('take no longer for a pattern that could begin in many ways', () => {
    const path = `${'a'.repeat(200)}b`;
    expect(ownersIn(`${'*a'.repeat(100)}c @x\n${'**/'.repeat(50)}c @x`, path)).toEqual([]);
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 50 }), (text, at) => {
        expect(Array.isArray(ownersIn(text, at))).toBe(true);
      }),
    );
  });
});

describe('the owners of a path by sections (C-CODEHOST-11)', () => {
  const inSections = (text: string, path: string) => ownersBy(Buffer.from(text), 'sections')(path);

  // The examples of GitLab's own description of the file.
  it.each([
    ['README.md', 'internal/README.md', true],
    ['internal/README.md', 'docs/internal/README.md', true],
    ['/README.md', 'docs/README.md', false],
    ['/docs/', 'docs/api/a.md', true],
    ['/docs', 'docs/a.md', false],
    ['/docs/*.md', 'docs/a.md', true],
    ['/docs/*.md', 'docs/api/a.md', false],
    ['/docs/*/README.md', 'docs/api/README.md', true],
    ['/docs/**/index.md', 'docs/api/graphql/index.md', true],
    ['/docs/**/index.md', 'docs/index.md', true],
    ['*', 'a/b.sql', true],
  ])('are those of %s at %s: %s', (pattern, path, isOwned) => {
    expect(inSections(`${pattern} @team`, path)).toEqual(isOwned ? ['@team'] : []);
  });

  it('are those of every section, by its last rule that fits', () => {
    const text =
      '* @admin\n\n[README Owners]\nREADME.md @user1 @user2\ninternal/README.md @user4\n\n[README other owners]\nREADME.md @user3\n';
    expect(inSections(text, 'README.md')).toEqual(['@admin', '@user1', '@user2', '@user3']);
    expect(inSections(text, 'internal/README.md')).toEqual(['@admin', '@user4', '@user3']);
  });

  it('are those of the heading if a rule names none, also of an optional section that is continued', () => {
    const text =
      '[Docs][2] @docs @two\ndocs/\n^[Database] @dba\nmodel/db/\nmodel/db/x.md @docs\n[DOCS] @later\nother/\n';
    expect(inSections(text, 'docs/a')).toEqual(['@docs', '@two']);
    expect(inSections(text, 'model/db/a')).toEqual(['@dba']);
    expect(inSections(text, 'model/db/x.md')).toEqual(['@docs']);
    expect(inSections(text, 'other/a')).toEqual(['@later']);
  });

  it('are nobody’s in a section that excludes the path, wherever it does', () => {
    const text = '* @all\n!*.rb\n/special/*.rb @ruby\n[Ruby]\n*.rb @team\n';
    expect(inSections(text, 'special/a.rb')).toEqual(['@team']);
    expect(inSections(text, 'special/a.py')).toEqual(['@all']);
  });
});
