/** The namespace of CloudWatch that the functions publish to. */
export const metricNamespace = 'Tributary';

/** The only dimension, because an account may have several tenants. Each further one would be a metric to pay for. */
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
