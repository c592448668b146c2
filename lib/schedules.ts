import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { SweepTask } from '../shared/contract/sweep-task.ts';

const every: Readonly<Record<SweepTask, Duration>> = {
  due: Duration.minutes(1),
  gaps: Duration.minutes(5),
  garbage: Duration.minutes(15),
  checks: Duration.minutes(15),
};

/** The rules that wake the sweep for each of its tasks. */
export class Schedules extends Construct {
  constructor(scope: Construct, id: string, sweep: Lambda) {
    super(scope, id);
    for (const [task, interval] of Object.entries(every))
      new Rule(this, task, {
        description: `Sweeps: ${task}`,
        schedule: Schedule.rate(interval),
        targets: [new LambdaFunction(sweep, { event: RuleTargetInput.fromObject({ task }), retryAttempts: 0 })],
      });
  }
}
