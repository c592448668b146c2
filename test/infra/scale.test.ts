import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dimensions, type Load, today } from '../../bench/simulate/load.ts';
import { table, waitingAfter } from '../../bench/simulate/report.ts';
import { archivedEvery, figures, resources, utilisation } from '../../bench/simulate/resources.ts';

type Rule = {
  readonly Properties?: {
    readonly ScheduleExpression?: string;
    readonly Targets?: readonly { readonly Input?: unknown }[];
  };
};

it('is documented as it is simulated', () => {
  expect(readFileSync('docs/scale.md', 'utf8')).toContain(`\n${table()}\n`);
});

it('archives as often as the stack does', () => {
  const template = readFileSync('local/template/generated/template.json', 'utf8');
  const { Resources } = JSON.parse(template) as { readonly Resources: Readonly<Record<string, Rule>> };
  const rule = Object.values(Resources).find(({ Properties }) =>
    Properties?.Targets?.some(({ Input }) => Input === '{"task":"payloads"}'),
  );
  expect(rule?.Properties?.ScheduleExpression).toBe(`rate(${archivedEvery / 60} minutes)`);
});

it('fills nothing less where anything but the number of workspaces grows', () => {
  const used = (load: Load) => new Map(resources(load, figures).map((one) => [one.name, utilisation(one)]));
  const grown = dimensions.filter((one) => one !== 'workspaces');
  fc.assert(
    fc.property(fc.constantFrom(...grown), fc.integer({ min: 1, max: 10_000 }), (by, factor) => {
      const before = used(today);
      for (const [name, share] of used({ ...today, [by]: today[by] * factor }))
        expect(share, name).toBeGreaterThanOrEqual(before.get(name) ?? 0);
    }),
  );
});

it('leaves waiting in a queue what comes faster than its workers work', () => {
  const rate = fc.integer({ min: 1, max: 100 });
  fc.assert(
    fc.property(rate, rate, fc.integer({ min: 1, max: 50 }), (arriving, worked, seconds) => {
      expect(waitingAfter(seconds, arriving, () => worked)).toBe(Math.max(0, arriving - worked) * seconds);
    }),
  );
});
