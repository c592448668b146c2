import { expect, it, vi } from 'vitest';
import { metricNames } from '../../shared/contract/metric-names.ts';
import { type Delivery, maxAttempts } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { logger, metrics } from '../../shared/runtime/logger.ts';
import { onAttemptFailed } from '../../shared/runtime/report-failures.ts';

it.each([
  [1, metricNames.attemptBroke],
  [maxAttempts - 1, metricNames.attemptBroke],
  [maxAttempts, metricNames.deliveryFailed],
])('counts a broken attempt %i as %s', (attempts, name) => {
  const added = vi.spyOn(metrics, 'addMetric').mockReturnValue(undefined as never);
  const logged = vi.spyOn(logger, 'error').mockReturnValue(undefined as never);
  const delivery = { workspace_id: 'ws_1', delivery_id: 'del_1', request_id: 'req_1', attempts } as unknown as Delivery;
  onAttemptFailed(delivery, new TypeError('secret'));
  expect(added.mock.calls).toEqual([[name, 'Count', 1]]);
  expect(logged.mock.calls[0]?.[1]).toMatchObject({ delivery_id: 'del_1', attempts });
  added.mockRestore();
  logged.mockRestore();
});
