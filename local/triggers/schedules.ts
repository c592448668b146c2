import * as v from 'valibot';
import { Fault } from '../../shared/contract/problems.ts';
import type { LocalFunctions } from '../lambda/functions.ts';
import { functionNamed, type Wiring, wired } from '../template/wiring.ts';

const RuleProperties = v.object({
  ScheduleExpression: v.string(),
  State: v.optional(v.string(), 'ENABLED'),
  Targets: v.array(v.object({ Arn: v.string(), Input: v.string() })),
});

const milliseconds = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export function startSchedules(
  wiring: Wiring,
  functions: LocalFunctions,
  { signal, log }: { readonly signal: AbortSignal; readonly log: (line: string) => void },
): void {
  for (const { properties } of wired(wiring, 'AWS::Events::Rule', RuleProperties)) {
    if (properties.State !== 'ENABLED') continue;
    const interval = intervalOf(properties.ScheduleExpression);
    for (const { Arn, Input } of properties.Targets) {
      const target = functions.get(functionNamed(Arn));
      if (!target) throw new Fault('rule_without_function', 'A rule targets something that is no function.');
      const wake = (): void => void target.invoke(JSON.parse(Input)).catch((error: Error) => log(error.message));
      const timer = setInterval(wake, interval);
      signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    }
  }
}

function intervalOf(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (unit !== 'minute' && unit !== 'hour' && unit !== 'day')
    throw new Fault('schedule_expression', `The local service only knows schedules of a rate, not ${expression}.`);
  return Number(count) * milliseconds[unit];
}
