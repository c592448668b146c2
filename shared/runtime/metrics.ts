import { Metrics } from '@aws-lambda-powertools/metrics';

export const metrics = new Metrics();

/** Every metric's name; alarms and dashboards refer to them here. */
export const metricNames = {
  internalError: 'InternalError',
  unavailable: 'Unavailable',
  rateLimited: 'RateLimited',
  attemptBroke: 'AttemptBroke',
  recordFailed: 'RecordFailed',
  sendFailed: 'ProjectionSendFailed',
  deliveryResent: 'DeliveryResent',
  deliveryFailed: 'DeliveryFailed',
  recountResent: 'RecountResent',
  checkSent: 'CheckSent',
  gapOpened: 'GapOpened',
  gapResolved: 'GapResolved',
  heldSuperseded: 'HeldSnapshotSuperseded',
  orderPruned: 'OrderPruned',
  orderForgotten: 'OrderForgotten',
  orderNotCollected: 'OrderNotCollected',
  observationForgotten: 'ObservationForgotten',
  eventsAccepted: 'EventsAccepted',
} as const;
