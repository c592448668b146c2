import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { SweepTask } from '../shared/contract/sweep-task.ts';
import type { Functions } from './functions.ts';
import type { Tenant } from './tenant.ts';

const every: Readonly<Record<SweepTask, Duration>> = {
  due: Duration.minutes(1),
  gaps: Duration.minutes(5),
  garbage: Duration.minutes(15),
  checks: Duration.minutes(15),
  payloads: Duration.minutes(15),
};

const target = (lambda: IFunction, event: object) =>
  new LambdaFunction(lambda, { event: RuleTargetInput.fromObject(event), retryAttempts: 0 });

/** The rules that wake the sweep for each of its tasks, and who compacts and the canary. */
export class Schedules extends Construct {
  constructor(scope: Construct, id: string, functions: Functions, { canary }: Pick<Tenant, 'canary'>) {
    super(scope, id);
    for (const [task, interval] of Object.entries(every))
      new Rule(this, task, {
        description: `Sweeps: ${task}`,
        schedule: Schedule.rate(interval),
        targets: [target(functions.asked('sweep'), { task })],
      });
    new Rule(this, 'compaction', {
      description: 'Compacts the lake of events',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [target(functions.asked('compactor'), {})],
    });
    new Rule(this, 'canary', {
      description: 'Sends and asks as users do',
      schedule: Schedule.rate(Duration.minutes(5)),
      enabled: canary,
      targets: [target(functions.asked('canary'), {})],
    });
  }
}
