import type { PayloadStore } from '../domain/ingest/deliveries/ports.ts';
import { inflateSmall, placeOf } from '../domain/ingest/deliveries/small-payload.ts';
import { putSmallPayload, smallPayloadReader } from './dynamodb/small-payloads.ts';
import type { Table } from './dynamodb/table.ts';
import type { Bucket } from './s3/bucket.ts';
import { archivedPayloads } from './s3/payload-archives.ts';
import { payloadMissing, putPayload, streamPayload } from './s3/raw.ts';

/** Payloads in the raw bucket, small ones in the table until they are archived there. */
export const payloadStore = (table: Table, bucket: Bucket): PayloadStore => ({
  ...payloadWriter(table, bucket),
  ...payloadReader(table, bucket),
});

export const payloadWriter = (table: Table, bucket: Bucket): Pick<PayloadStore, 'put' | 'putSmall'> => ({
  put: putPayload(bucket),
  putSmall: putSmallPayload(table),
});

export function payloadReader(table: Table, bucket: Bucket): Pick<PayloadStore, 'stream'> {
  const waiting = smallPayloadReader(table);
  const archived = archivedPayloads(bucket);
  return {
    stream: async (delivery) => {
      if (!delivery.payload.small) return streamPayload(bucket, delivery);
      const place = placeOf(delivery);
      // An item is removed once an archive has it, so that one of the two has it whenever they are asked in this order.
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
