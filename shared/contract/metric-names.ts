/** The namespace of CloudWatch that the functions publish to. */
export const metricNamespace = 'Tributary';

/** The dimensions of every metric: the function, and the tenant, of whom one account may have several. */
export const metricDimensions = { service: 'service', tenant: 'tenant' } as const;

/** Every metric's name; functions publish them, alarms and the dashboard read them. */
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
