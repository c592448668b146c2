import { Dashboard as CloudWatchDashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { queueNames } from '../shared/contract/stack-outputs.ts';
import { type FunctionName, workerNames } from './function-specs.ts';
import type { Functions } from './functions.ts';
import { ownMetric } from './own-metrics.ts';
import { busyFunctions, type Watched } from './watched.ts';

type Row = readonly (readonly [title: string, metrics: readonly IMetric[]])[];

const period = Duration.minutes(5);

/**
 * One page of a tenant's figures: what is asked, what waits, what fails, what it consumes. Three pages of an account are
 * free, where they have no more than 50 metrics each.
 */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, watched: Watched) {
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
    ['p50', 'p90', 'Maximum'].map((statistic) =>
      ownMetric(tenant, 'projectionLag', { period, statistic, label: statistic }),
    ),
  ],
  [
    'Oldest message, seconds',
    queueNames.map((label) => stores[label].queue.metricApproximateAgeOfOldestMessage({ period, label })),
  ],
  [
    'Dead letters',
    queueNames.map((label) => stores[label].deadLetters.metricApproximateNumberOfMessagesVisible({ period, label })),
  ],
];

const failing = ({ functions, tenant }: Watched): Row => [
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
