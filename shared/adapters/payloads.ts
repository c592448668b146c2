import { placeOf } from '../domain/lineage/ingest/deliveries/delivery.ts';
import type { PayloadStore } from '../domain/lineage/ingest/deliveries/ports.ts';
import { inflateSmall } from '../domain/lineage/ingest/deliveries/read-payload.ts';
import { smallPayloadReader } from './dynamodb/deliveries/small-payloads.ts';
import type { Table } from './dynamodb/requests/table.ts';
import type { Bucket } from './s3/bucket.ts';
import { archivedPayloads } from './s3/payload-archives.ts';
import { payloadMissing, streamPayload } from './s3/raw.ts';

/** Streams the bytes of a delivery, inflated. Throws the fault `payload_missing` where they are nowhere. */
export function payloadReader(table: Table, bucket: Bucket): Pick<PayloadStore, 'stream'> {
  const waiting = smallPayloadReader(table);
  const archived = archivedPayloads(bucket);
  return {
    stream: async (delivery) => {
      if (!delivery.payload.small) return streamPayload(bucket, delivery);
      const place = placeOf(delivery);
      // The bytes are removed once an archive has them, so that one of the two has them whenever they are asked in this order.
      const deflated = await waiting(place);
      const bytes = deflated ? inflateSmall(deflated) : await archived(place);
      if (bytes === null) throw payloadMissing();
      return only(bytes);
    },
  };
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
