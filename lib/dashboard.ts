import { Dashboard as CloudWatchDashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ownMetric } from './own-metrics.ts';
import type { Watched } from './watched.ts';

type Row = readonly (readonly [title: string, metrics: readonly IMetric[]])[];

const period = Duration.minutes(5);

/** One page of a tenant's figures: what is asked, what waits, what fails, what it consumes. */
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

const requests = ({ api, functions, tenant }: Watched): Row => [
  ['Requests', [api.metricCount({ period }), api.metricClientError({ period }), api.metricServerError({ period })]],
  [
    'Time to an answer, p99',
    (['collect', 'ingest', 'queries'] as const).map((name) =>
      functions.named(name).metricDuration({ period, statistic: 'p99', label: name }),
    ),
  ],
  ['Events accepted', [ownMetric(tenant, 'collect', 'eventsAccepted', { period })]],
];

const waiting = ({ stores: { events, projection } }: Watched): Row => [
  [
    'Oldest message, seconds',
    [
      events.queue.metricApproximateAgeOfOldestMessage({ period, label: 'events' }),
      projection.queue.metricApproximateAgeOfOldestMessage({ period, label: 'projection' }),
    ],
  ],
  [
    'Dead letters',
    [
      events.deadLetters.metricApproximateNumberOfMessagesVisible({ period, label: 'events' }),
      projection.deadLetters.metricApproximateNumberOfMessagesVisible({ period, label: 'projection' }),
    ],
  ],
];

const failing = ({ functions, tenant }: Watched): Row => [
  ['Errors of functions', [...functions.byName].map(([name, lambda]) => lambda.metricErrors({ period, label: name }))],
  ['Throttled', [...functions.byName].map(([name, lambda]) => lambda.metricThrottles({ period, label: name }))],
  [
    'Deliveries',
    [
      ownMetric(tenant, 'sweep', 'deliveryResent', { period, label: 'sent again' }),
      ownMetric(tenant, 'sweep', 'deliveryFailed', { period, label: 'given up' }),
      ownMetric(tenant, 'projector', 'deliveryFailed', { period, label: 'failed' }),
      ownMetric(tenant, 'projector', 'attemptBroke', { period, label: 'attempts that broke' }),
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
