import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { limits } from '../../shared/contract/limits.ts';
import { problems } from '../../shared/contract/problems.ts';
import { localSettings, settings } from '../../shared/contract/settings.ts';

const page = readFileSync(new URL('../../docs/contract/errors-and-limits.md', import.meta.url), 'utf8');
const ruleOf = (anchor: string): string => page.match(new RegExp(`\\*\\*${anchor}\\*\\* (.*)`))?.[1] ?? '';

it('the documented codes are those of the catalogue, each under its status (C-ERROR-8, C-ERROR-9, C-ERROR-10)', () => {
  const documented = ['C-ERROR-8', 'C-ERROR-9', 'C-ERROR-10']
    .flatMap((anchor) => ruleOf(anchor).split(' · '))
    .flatMap((group) => [...group.matchAll(/`(\w+)`/g)].map(([, code]) => `${group.match(/\d{3}/)?.[0]} ${code}`));
  const known = Object.entries(problems).map(([code, { status }]) => `${status} ${code.replace(/_empty$/, '')}`);
  expect([...new Set(documented)].sort()).toEqual([...new Set(known)].sort());
});

it.each([
  ['C-LIMIT-1', [limits.collection.events.min, limits.collection.events.max, limits.collection.bodyBytes / 2 ** 20]],
  ['C-LIMIT-1', [limits.collection.eventBytes / 2 ** 10, limits.collection.nesting, limits.collection.groups]],
  ['C-LIMIT-3', [limits.openlineage.bodyBytes / 2 ** 20, limits.openlineage.batch.min, limits.openlineage.batch.max]],
  ['C-LIMIT-3', [limits.openlineage.idempotencyKey, limits.openlineage.providerKey]],
  ['C-LIMIT-4', [limits.declared.idempotencyKey, limits.declared.importSource]],
  ['C-LIMIT-5', [limits.impact.depth.min, limits.impact.depth.max, limits.impact.nodes.min, limits.impact.nodes.max]],
  ['C-LIMIT-5', [limits.export.min, limits.export.max, limits.export.default]],
  ['C-LIMIT-5', [limits.page.min, limits.page.max, limits.page.default, limits.gapType]],
  ['C-LIMIT-6', [limits.token.expiryDays.min, limits.token.expiryDays.max]],
])('the figures of %s are those of the code: %j (C-LIMIT-3, C-LIMIT-4, C-LIMIT-5)', (anchor, figures) => {
  const written = [...ruleOf(anchor).matchAll(/\b\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(',', '')));
  expect(written).toEqual(expect.arrayContaining(figures));
});

it('the documented settings are those that there are, with their defaults', () => {
  const settingsPage = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  const documented = [...settingsPage.matchAll(/^\| `(\w+)` +\| `([\w:/.]+)` +\| (.*?) *\|$/gm)].map(
    ([, ...row]) => row,
  );
  const all = Object.entries({ ...settings, ...localSettings });
  expect(documented).toEqual(all.map(([name, { otherwise, says }]) => [name, otherwise, says]));
});
