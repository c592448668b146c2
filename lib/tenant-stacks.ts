import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { type Alarm, Dashboard as CloudWatchDashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { routes } from '../shared/contract/api/routes.ts';
import { Fault } from '../shared/contract/problems.ts';
import { queueNames, signInOutputs, stackNames, urlOutputs } from '../shared/contract/stack-outputs.ts';
import { acknowledge } from './acknowledge.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { DataStack } from './data-stack.ts';
import { type FunctionName, workerNames } from './function-specs.ts';
import { Functions } from './functions.ts';
import { IcebergMerge } from './iceberg/merge.ts';
import { IcebergUpkeep } from './iceberg/upkeep.ts';
import { type Issuer, signInClient } from './identity.ts';
import { LakeCatalogue } from './lake-catalogue.ts';
import { busyFunctions, ownMetric, type Watched } from './own-metrics.ts';
import { Schedules } from './schedules.ts';
import { type Tenant, TenantStack } from './tenant.ts';

type Row = readonly (readonly [title: string, metrics: readonly IMetric[]])[];

const period = Duration.minutes(5);

/**
 * One page of a tenant's figures: the request, what waits, what fails, what it consumes. Three pages of an account are
 * free, if they have no more than 50 metrics each.
 */
class Dashboard extends Construct {
  constructor(scope: Construct, id: string, watched: Watched & { readonly topic: Topic }) {
    super(scope, id);
    const rows = [requests(watched), waiting(watched), failing(watched), consumed(watched)];
    new CloudWatchDashboard(this, 'Page', {
      dashboardName: `Tributary-${watched.tenant.name}`,
      defaultInterval: Duration.days(1),
      widgets: rows.map((row) =>
        row.map(([title, left]) => new GraphWidget({ title, left: [...left], width: 24 / row.length })),
      ),
    });
  }
}

const each = (
  functions: Functions,
  names: readonly FunctionName[],
  metricOf: (lambda: IFunction, label: string) => IMetric,
): IMetric[] => names.map((name) => metricOf(functions.named(name), name));

const requests = ({ api, functions, tenant }: Watched): Row => [
  ['Requests', [api.metricCount({ period }), api.metricClientError({ period }), api.metricServerError({ period })]],
  [
    'Time to an answer, p99',
    each(functions, ['collect', 'ingest', 'queries'], (lambda, label) =>
      lambda.metricDuration({ period, statistic: 'p99', label }),
    ),
  ],
  ['Events accepted', [ownMetric(tenant, 'eventsAccepted', { period })]],
  ['Round of the canary', [functions.named('canary').metricDuration({ period, statistic: 'Maximum' })]],
];

const waiting = ({ stores, tenant }: Watched): Row => [
  [
    'From acceptance to projection, ms',
    ['p90', 'Maximum'].map((statistic) => ownMetric(tenant, 'projectionLag', { period, statistic, label: statistic })),
  ],
  [
    'Oldest message, seconds',
    queueNames.map((label) => stores.queues[label].queue.metricApproximateAgeOfOldestMessage({ period, label })),
  ],
  [
    'Dead letters',
    queueNames.map((label) =>
      stores.queues[label].deadLetters.metricApproximateNumberOfMessagesVisible({ period, label }),
    ),
  ],
];

const failing = ({ functions, tenant, topic }: Watched & { readonly topic: Topic }): Row => [
  ['Errors of workers', each(functions, workerNames, (lambda, label) => lambda.metricErrors({ period, label }))],
  ['Throttled', each(functions, busyFunctions, (lambda, label) => lambda.metricThrottles({ period, label }))],
  [
    'Deliveries',
    [
      ownMetric(tenant, 'attemptBroke', { period, label: 'attempts that broke' }),
      ownMetric(tenant, 'messageHandedBack', { period, label: 'messages handed back' }),
      ownMetric(tenant, 'deliveryResent', { period, label: 'sent again' }),
      ownMetric(tenant, 'dueSweepCutShort', { period, label: 'sweeps that did not come to the end' }),
      ownMetric(tenant, 'deliveryFailed', { period, label: 'given up' }),
    ],
  ],
  [
    'Mails of alarms: if none of the published is delivered, nobody has confirmed',
    [topic.metricNumberOfMessagesPublished({ period }), topic.metricNumberOfNotificationsDelivered({ period })],
  ],
  [
    'Answers',
    [
      ownMetric(tenant, 'internalError', { period, label: '500' }),
      ownMetric(tenant, 'unavailable', { period, label: '503' }),
      ownMetric(tenant, 'rateLimited', { period, label: '429' }),
    ],
  ],
];

const consumed = ({ stores: { tables } }: Watched): Row => [
  ['Write units', [tables.main, tables.eventLedger].map((table) => table.metricConsumedWriteCapacityUnits({ period }))],
  ['Read units', [tables.main, tables.eventLedger].map((table) => table.metricConsumedReadCapacityUnits({ period }))],
  [
    'Throttled requests of the table',
    [Operation.GET_ITEM, Operation.UPDATE_ITEM, Operation.PUT_ITEM, Operation.BATCH_WRITE_ITEM].map((operation) =>
      tables.main.metricThrottledRequestsForOperation(operation, { period, label: operation }),
    ),
  ],
];

type RolloutProps = {
  readonly pace: NonNullable<Tenant['rollout']>;
  readonly functions: Functions;
  /** Any of them takes a version back that has just begun. */
  readonly alarms: readonly Alarm[];
};

/** Lets a new version of each function take over step by step, and the one before again where an alarm rings. */
class Rollout extends Construct {
  constructor(scope: Construct, id: string, { pace, functions, alarms }: RolloutProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    acknowledge(role, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
        'The policy that CodeDeploy documents for moving an alias between versions.',
    });
    const deploymentConfig = LambdaDeploymentConfig.fromLambdaDeploymentConfigName(
      this,
      'Pace',
      `CodeDeployDefault.Lambda${pace}`,
    );
    for (const [name, alias] of functions.aliases)
      new LambdaDeploymentGroup(this, name, {
        application,
        role,
        alias,
        deploymentConfig,
        alarms: [...alarms],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
  }
}

/** Of the month's budget, in percent: what was spent, and what will have been. */
const thresholds = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/** Writes to the tenant's address when its resources cost more than it says; nothing if it says nothing. */
function addBudget(scope: Construct, { name, monthlyBudget, alarmEmail }: Tenant): void {
  if (monthlyBudget === undefined || alarmEmail === undefined) return;
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      // By the tag of all resources, once the account has activated it for cost allocation.
      costFilters: { TagKeyValue: [`user:tributary:tenant$${name}`] },
    },
    notificationsWithSubscribers: thresholds.map((threshold) => ({
      notification: { ...threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
    })),
  });
}

/** Lets senders call functions without the API. The canary then sends there too. */
function addFunctionUrls(stack: Stack, functions: Functions, { functionUrls }: Tenant): void {
  for (const name of new Set(functionUrls)) {
    const { url } = functions.aliasOf(name).addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    new CfnOutput(stack, urlOutputs[name], { value: url });
    functions.named('canary').addEnvironment(`${name.toUpperCase()}_URL`, url);
  }
}

type TenantProps = {
  readonly tenant: Tenant;
  readonly bundleOf: (name: FunctionName) => string;
  readonly issuer?: Issuer;
};

/** The stacks of a tenant in deployment order: its data, and the service that works on them. */
export function tenantStacks(scope: Construct, props: TenantProps): readonly [DataStack, ServiceStack] {
  const data = new DataStack(scope, props);
  return [data, new ServiceStack(scope, { ...props, data })];
}

type ServiceProps = TenantProps & { readonly data: DataStack };

/** What works on a tenant's data and holds none: functions, API, alarms and the dashboard. It may be deleted and made again. */
class ServiceStack extends TenantStack {
  constructor(scope: Construct, { tenant, data, bundleOf, issuer }: ServiceProps) {
    super(scope, stackNames(tenant.name).service, tenant, { description: `Tributary for ${tenant.name}: the service` });
    const { stores, users } = data;
    const api = new Api(this, 'Api', { tenant, routes });
    // The client stays beside an issuer, as the pool does: a tenant that comes back to the pool has the same client.
    const own = users && signInClient(this, { users, explorer: api.address });
    const signIn = issuer ?? tenant.issuer ?? own;
    if (!signIn) throw new Fault('issuer_missing', 'A tenant has a user pool or its own issuer.');
    new CfnOutput(this, signInOutputs.issuer, { value: signIn.issuer });
    new CfnOutput(this, signInOutputs.client, { value: signIn.audience });
    const functions = new Functions(this, 'Functions', {
      tenant,
      stores,
      issuer: signIn,
      apiUrl: api.address,
      bundleOf,
    });
    api.serve(functions);
    addFunctionUrls(this, functions, tenant);
    const { deadLetters } = new Schedules(this, 'Schedules', functions, tenant);
    new LakeCatalogue(this, 'Catalogue', { tenant: tenant.name, lake: stores.buckets.lake });
    const watched = { tenant, stores, functions, api: api.restApi, missedCalls: deadLetters };
    const alarms = new Alarms(this, 'Alarms', watched);
    if (tenant.rollout) new Rollout(this, 'Rollout', { pace: tenant.rollout, functions, alarms: alarms.ofVersions });
    if (tenant.iceberg) {
      const { dedupDays } = tenant.iceberg;
      new IcebergMerge(this, 'Iceberg', { tenant: tenant.name, stores, alarms, dedupDays, deadLetters });
      new IcebergUpkeep(this, 'IcebergUpkeep', { tenant: tenant.name, stores });
    }
    new Dashboard(this, 'Dashboard', { ...watched, topic: alarms.topic });
    addBudget(this, tenant);
  }
}
