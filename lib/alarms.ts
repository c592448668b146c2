import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Functions } from './functions.ts';
import type { Stores } from './stores.ts';

const runbook = 'docs/runbook.md';

type AlarmsProps = { readonly stores: Stores; readonly functions: Functions };

/** Alarms on dead letters, old messages and failing functions; each says where its section of the runbook is. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { stores, functions }: AlarmsProps) {
    super(scope, id);
    const minutes = (n: number) => ({ period: Duration.minutes(n) });
    for (const [name, { queue, deadLetters }] of [
      ['Events', stores.events],
      ['Projection', stores.projection],
    ] as const) {
      this.#watch(`${name}DeadLetters`, deadLetters.metricApproximateNumberOfMessagesVisible(minutes(1)), {
        section: 'dead-letters',
        above: 0,
      });
      this.#watch(`${name}Backlog`, queue.metricApproximateAgeOfOldestMessage(minutes(5)), {
        section: 'backlog',
        above: 900,
      });
    }
    for (const [name, lambda] of functions.byName)
      this.#watch(`${name}Errors`, lambda.metricErrors(minutes(5)), { section: 'function-errors', above: 0 });
  }

  #watch(id: string, metric: IMetric, { section, above }: { section: string; above: number }): void {
    new Alarm(this, id, {
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `What to do: ${runbook}#${section}`,
    });
  }
}
