/** The namespace of CloudWatch that the functions publish to. */
export const metricNamespace = 'Tributary';

/**
 * The only dimension of every metric, for one account may have several tenants. Each further one is a metric more to pay
 * for, and which function counted is in the log, whose lines the metrics consist of.
 */
export const tenantDimension = 'tenant';

export const metricNames = {
  internalError: 'InternalError',
  unavailable: 'Unavailable',
  rateLimited: 'RateLimited',
  rateNotShared: 'RateLimitNotShared',
  attemptBroke: 'AttemptBroke',
  recordFailed: 'RecordFailed',
  messageHandedBack: 'MessageHandedBack',
  sendFailed: 'ProjectionSendFailed',
  deliveryResent: 'DeliveryResent',
  projectionLag: 'ProjectionLag',
  deliveryFailed: 'DeliveryFailed',
  dueSweepCutShort: 'DueSweepCutShort',
  recountResent: 'RecountResent',
  checkSent: 'CheckSent',
  gapOpened: 'GapOpened',
  gapResolved: 'GapResolved',
  heldSuperseded: 'HeldSnapshotSuperseded',
  orderPruned: 'OrderPruned',
  orderForgotten: 'OrderForgotten',
  orderNotCollected: 'OrderNotCollected',
  observationForgotten: 'ObservationForgotten',
  notificationLost: 'NotificationLost',
  notificationFailed: 'NotificationFailed',
  eventsAccepted: 'EventsAccepted',
} as const;
