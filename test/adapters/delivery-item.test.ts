import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deliveryOf, itemOf } from '../../shared/adapters/dynamodb/deliveries/small-payloads.ts';
import type { ConnectorId, DeliveryId, ProviderInstanceId, WorkspaceId } from '../../shared/contract/ids.ts';
import { ignoredReasons } from '../../shared/contract/unresolved-reasons.ts';
import { completenesses, deliveryKinds, deliveryStates } from '../../shared/contract/vocabulary.ts';
import { snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import type { Delivery } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';

const count = fc.nat(3);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const word = fc.string({ minLength: 1, maxLength: 4 });
const delivery: fc.Arbitrary<Delivery> = fc.record({
  delivery_id: fc.uuid().map((id) => id as DeliveryId),
  workspace_id: fc.constant('w' as WorkspaceId),
  connector_id: orNull(fc.constant('c' as ConnectorId)),
  provider_instance_id: fc.uuid().map((id) => id as ProviderInstanceId),
  provider_type: word,
  kind: fc.constantFrom(...deliveryKinds),
  state: fc.constantFrom(...deliveryStates),
  received_at: fc.constant('2026-01-01T00:00:00.000Z'),
  request_id: orNull(word),
  completed_at: orNull(word),
  effective_at: orNull(word),
  generation: count,
  attempts: count,
  open_attempt: fc.constantFrom(null, 'shared', 'exclusive'),
  resends: count,
  duplicate_count: count,
  item_count: count,
  refused_item_count: count,
  has_static_events: fc.boolean(),
  invalid_item_count: count,
  projected_item_count: count,
  warnings: fc.array(fc.record({ code: word, message: word }), { maxLength: 2 }),
  unresolved: fc.array(
    fc.record({ reason: word, count, assets: fc.array(word, { maxLength: 2 }), assets_left_out: count }),
    { maxLength: 2 },
  ),
  ignored: fc.array(fc.record({ reason: fc.constantFrom(...ignoredReasons), count }), { maxLength: 2 }),
  only_unowned: fc.boolean(),
  retracted_evidence_count: count,
  scope_key: orNull(word),
  completeness: orNull(fc.constantFrom(...completenesses)),
  order: orNull(fc.nat().map(snapshotOrder)),
  released: fc.boolean(),
  has_quarantine: fc.boolean(),
  content_digest: word,
  payload: fc.record({ digest: word, content_type: word, content_encoding: orNull(word), small: fc.boolean() }),
});

it('a delivery is read as it was written, whatever of it is left out because it is nothing', () => {
  fc.assert(
    fc.property(delivery, (one) => {
      expect(deliveryOf(itemOf(one, one.received_at))).toEqual(one);
    }),
  );
});
