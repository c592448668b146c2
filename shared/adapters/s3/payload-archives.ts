import { crc32 } from 'node:zlib';
import { rawPrefix } from '../../contract/lake.ts';
import { Fault } from '../../contract/problems.ts';
import { lruCache } from '../../domain/base/caching.ts';
import { sha256 } from '../../domain/base/digest.ts';
import { type DeliveryPlace, listOf } from '../../domain/lineage/ingest/deliveries/delivery.ts';
import {
  hourOf,
  inflatedBytes,
  inflateSmall,
  type SmallPayload,
} from '../../domain/lineage/ingest/deliveries/read-payload.ts';
import type { PayloadArchives } from '../../domain/operations/sweep/archive-payloads.ts';
import { zipArchive } from '../zip/zip-archive.ts';
import { zipEntry } from '../zip/zip-entry.ts';
import { type Bucket, getObject, keysIn, putObject } from './bucket.ts';

/** Archives are megabytes; who reads payloads in their order needs one or two of each list at a time. */
const [archivesHeld, foldersHeld] = [16, 1_000];

export const payloadArchives = (bucket: Bucket): PayloadArchives => ({
  put: (payloads) => putArchive(bucket, payloads),
  find: archivedPayloads(bucket),
});

/** Finds archived payloads; null if no archive has it. An archive never changes, so that it is read once. */
export function archivedPayloads(bucket: Bucket): PayloadArchives['find'] {
  const archives = lruCache<string, Uint8Array>(archivesHeld);
  const folders = lruCache<string, readonly string[]>(foldersHeld);
  const findIn = async (keys: readonly string[], place: DeliveryPlace): Promise<Uint8Array | null> => {
    for (const key of keys.filter((one) => covers(one, place))) {
      const archive = archives.get(key) ?? (await getObject(bucket, key));
      if (archive) archives.set(key, archive);
      const bytes = archive && zipEntry(archive, place.digest, inflatedBytes);
      if (bytes) return bytes;
    }
    return null;
  };
  return async (place) => {
    const folder = folderOf(place);
    const known = await findIn(folders.get(folder) ?? [], place);
    if (known) return known;
    const keys: string[] = [];
    for await (const key of keysIn(bucket, { Prefix: folder })) keys.push(key);
    folders.set(folder, keys);
    return findIn(keys, place);
  };
}

async function putArchive(bucket: Bucket, payloads: readonly SmallPayload[]): Promise<void> {
  const entries = payloads.map(({ delivery_id, digest, deflated }) => {
    const bytes = inflateSmall(deflated);
    return { name: `${delivery_id}/${digest}`, deflated, checksum: crc32(bytes), length: bytes.byteLength };
  });
  await putObject(bucket, archiveKey(payloads), zipArchive(entries), { type: 'application/zip' });
}

const folderOf = (place: DeliveryPlace): string =>
  `${rawPrefix}${place.workspace_id}/archives/${hourOf(place.received_at)}/${listOf(place)}/`;

function archiveKey(payloads: readonly SmallPayload[]): string {
  const [first, last] = [payloads[0], payloads.at(-1)];
  if (!first || !last) throw new Fault('archive_without_payloads', 'an archive has at least one payload');
  const names = payloads.map(({ delivery_id, digest }) => `${delivery_id}/${digest}\n`).join('');
  const digest = sha256(names).toString('hex').slice(0, 16);
  return `${folderOf(first)}${numeral(first.received_at)}_${numeral(last.received_at)}_${digest}.zip`;
}

/** Whether an archive may have a payload: its name says from when to when its payloads were received. */
function covers(key: string, { received_at }: DeliveryPlace): boolean {
  const [from = '', to = ''] = (key.split('/').at(-1) ?? '').split('_');
  const at = numeral(received_at);
  return from <= at && at <= to;
}

/** Milliseconds since 1970: names of objects are better without colons. */
const numeral = (time: string): string => String(Date.parse(time));
