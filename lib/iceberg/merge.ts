import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { icebergPrefix, icebergTables } from '../../shared/contract/iceberg.ts';
import { allowKey } from '../rights.ts';
import { allowTableFiles, allowTables } from './rights.ts';
import { expireStatement, mergeStatement, upkeepStatements } from './statements.ts';
import { icebergDatabase } from './tables.ts';

type IcebergMergeProps = {
  readonly tenant: string;
  readonly lake: Bucket;
  readonly key: IKey | undefined;
  /** Is told of every statement that failed. */
  readonly topic: ITopic;
  readonly dedupDays: number;
};

/** Once a day, apart from each other and from the merge of the hour. */
const daily = (hour: number): string => `cron(30 ${hour} * * ? *)`;

/** The statements of Athena that store each landed event once, and look after the tables. */
export class IcebergMerge extends Construct {
  readonly #role: Role;
  readonly #workGroup: CfnWorkGroup;
  readonly #database: string;

  constructor(scope: Construct, id: string, { tenant, lake, key, topic, dedupDays }: IcebergMergeProps) {
    super(scope, id);
    this.#database = icebergDatabase(tenant);
    this.#workGroup = workGroupOf(this, tenant);
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    this.#role.addToPolicy(
      new PolicyStatement({ actions: ['athena:StartQueryExecution'], resources: [workGroupArn(this, tenant)] }),
    );
    allowTables(this.#role, this.#database, Object.values(icebergTables));
    allowTableFiles(this.#role, lake, [icebergPrefix]);
    if (key) allowKey(this.#role, key);
    this.#every('Merge', 'rate(1 hour)', mergeStatement(dedupDays));
    this.#every('Expire', daily(1), expireStatement);
    this.#every('Optimize', daily(2), upkeepStatements.optimize);
    this.#every('VacuumEvents', daily(3), upkeepStatements.vacuumEvents);
    this.#every('VacuumLanding', daily(4), upkeepStatements.vacuumLanding);
    new Rule(this, 'Failed', {
      description: 'A statement on the Iceberg tables failed: docs/runbook.md#iceberg',
      eventPattern: {
        source: ['aws.athena'],
        detailType: ['Athena Query State Change'],
        detail: { currentState: ['FAILED'], workgroupName: [this.#workGroup.name] },
      },
      targets: [new SnsTopic(topic)],
    });
  }

  #every(id: string, scheduleExpression: string, QueryString: string): void {
    const input = {
      QueryString,
      WorkGroup: this.#workGroup.name,
      QueryExecutionContext: { Database: this.#database },
      // A schedule may call twice; Athena runs a token once.
      ClientRequestToken: '<aws.scheduler.execution-id>',
    };
    const schedule = new CfnSchedule(this, id, {
      scheduleExpression,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: `arn:${Stack.of(this).partition}:scheduler:::aws-sdk:athena:startQueryExecution`,
        roleArn: this.#role.roleArn,
        input: JSON.stringify(input),
      },
    });
    schedule.node.addDependency(this.#role, this.#workGroup);
  }
}

const nameOf = (tenant: string): string => `tributary-${tenant}`;

const workGroupArn = (scope: Construct, tenant: string): string =>
  Stack.of(scope).formatArn({ service: 'athena', resource: 'workgroup', resourceName: nameOf(tenant) });

const workGroupOf = (scope: Construct, tenant: string): CfnWorkGroup =>
  new CfnWorkGroup(scope, 'WorkGroup', {
    name: nameOf(tenant),
    description: 'Stores landed events once',
    recursiveDeleteOption: true,
    workGroupConfiguration: {
      enforceWorkGroupConfiguration: true,
      engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
      // Results are figures of rows: Athena keeps them for a day, and no bucket is needed.
      managedQueryResultsConfiguration: { enabled: true },
      publishCloudWatchMetricsEnabled: true,
    },
  });
