import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Fault } from '../../../contract/problems.ts';
import { memoised } from '../../../domain/base/caching.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import type { Key } from '../keys/registry-keys.ts';
import { batchGet, deleteItem } from './items.ts';
import type { Table } from './table.ts';
import { changing, updateItem } from './update-item.ts';

type KeyOfPart = (part: number) => Key;

/** An item takes 400 KB, names and keys included. */
const maxInlineBytes = 350_000;
const inFlight = 4;

/** How many items bytes take. */
export const partsOf = (bytes: Uint8Array): number => Math.ceil(bytes.length / maxInlineBytes);

/** Keeps bytes too long for one item as several. The keys must be unique to this content: references to it are written afterwards. */
export async function putParts(
  table: Table,
  bytes: Uint8Array,
  keyOf: KeyOfPart,
  expiresAt: number | null = null,
): Promise<void> {
  await inParallel(inFlight, numbers(partsOf(bytes)), async (part) => {
    const B = bytes.subarray(part * maxInlineBytes, (part + 1) * maxInlineBytes);
    const set = { part: { B }, ...(expiresAt !== null && { ttl: { N: String(expiresAt) } }) };
    await updateItem(table, keyOf(part), changing({ set, where: [] }));
  });
}

/** The bytes of all the parts, or null if one is no longer there. */
export async function readParts(table: Table, count: number, keyOf: KeyOfPart): Promise<Uint8Array | null> {
  const keys = numbers(count).map(keyOf);
  const items = await batchGet(table, keys, { consistent: true });
  const parts = new Map(items.map((item) => [item['sk']?.S, item['part']?.B]));
  const found = keys.flatMap(({ sk }) => parts.get(sk) ?? []);
  return found.length === count ? Buffer.concat(found) : null;
}

/** Also where some of them are gone already. */
export async function deleteParts(table: Table, count: number, keyOf: KeyOfPart): Promise<void> {
  await inParallel(inFlight, numbers(count), (part) => deleteItem(table, keyOf(part)));
}

const numbers = (count: number) => Array.from({ length: count }, (_, part) => part);

/** Below this deflating costs more than the bytes it saves. */
const worthDeflating = 128;

/** A JSON value as one attribute: text while it is short, deflated bytes when it is not. */
export function pack(value: unknown): AttributeValue {
  const text = JSON.stringify(value);
  return text.length < worthDeflating ? { S: text } : { B: deflated(text) };
}

export const packedBytes = (value: unknown): Uint8Array => deflated(JSON.stringify(value));

/** Common parts of stored JSON, the commonest last. It must never change: stored bytes can be read only by it. */
const dictionary = Buffer.from(
  [
    '"catalog":"schema":{"columns":[{"name":"","type":"NUMERIC"},"BOOLEAN"},"DOUBLE"},"DATE"},"INTEGER"},"STRING"},',
    '"TIMESTAMP"},"BIGINT"},"VARCHAR"},{"name":"","type":null}],"stars":[],"complete":true}',
    '"AGGREGATION","INDIRECT","subtype":"FILTER","JOIN","GROUP_BY","SORT","WINDOW","CONDITIONAL"',
    '[{"outputColumn":null,"reason":"columns_not_reported"}]"eventType":"COMPLETE","eventType":"START","streaming":false}',
    '"described":[{"node":"relation:con_","schema":""}],"aliases":[{"alias":"dataset:","canonical":"relation:con_"}],',
    '"facets":[{"output":"relation:con_","facet":"columnLineage","sources":[{"input":"relation:con_',
    '"inputs":["relation:con_"],"outputs":["relation:con_"],"targets":null,"lifecycle":[],"statementKind":"INSERT",',
    '"SELECT","MERGE","UPDATE","CREATE_TABLE_AS",{"producer":{"namespace":"","name":""},"deliveryId":"","location":"/0",',
    '"observedAt":"2026-00:00:00.000Z","statementKind":null,"principal":null,"engine":"spark","columns":[',
    '{"inputColumn":"id","outputColumn":"id","type":"DIRECT","subtype":"TRANSFORMATION","masking":false},',
    '{"inputColumn":"","outputColumn":"","type":"DIRECT","subtype":"IDENTITY","masking":false}],"unresolved":[]}',
    '"subtype":null,"masking":false},{"inputColumn":"","outputColumn":""',
  ].join(''),
);

/** What is set up for a window, and the 16 KB of an answer, dominate the cost of deflating a short text. */
const shortWindow = { windowBits: 13, memLevel: 5, chunkSize: 2_048 } as const;
const shortText = 4_096;

const deflated = (text: string) =>
  deflateRawSync(text, { level: 6, dictionary, ...(text.length <= shortText && shortWindow) });

export function unpack(attribute: AttributeValue | undefined): unknown {
  if (attribute?.S !== undefined) return JSON.parse(attribute.S);
  if (attribute?.B !== undefined) return JSON.parse(inflated(attribute.B).toString('utf8'));
  throw new Fault('packed_value_missing', 'the attribute holds no packed value');
}

/** As `unpack`, for readers who change nothing: short values that several attributes or reads share are parsed once. */
export function unpackShared(attribute: AttributeValue): unknown {
  const { B: bytes } = attribute;
  if (bytes === undefined || bytes.length > shortBytes) return unpack(attribute);
  return readShort(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
}

/** Some 2 KB each. */
const shortValuesKept = 2_000;

const readShort = memoised(shortValuesKept, (bytes: string) => unpack({ B: Buffer.from(bytes, 'latin1') }) as object);

/** Short texts take less than this where they are deflated. */
const shortBytes = 512;

/** A walk inflates hundreds of short texts: to make zlib's buffer of 16 KiB for each takes as long as to fill it. */
const inflated = (bytes: Uint8Array): Buffer =>
  inflateRawSync(bytes, { dictionary, ...(bytes.length <= shortBytes && { chunkSize: shortText }) });
