import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import type { ScopeId } from '../../../../domain/graph/ids.ts';
import { lruCache } from '../../../../domain/lru-cache.ts';
import type { Item } from '../../batch-get.ts';
import { runContentKey, runKey } from '../../keys/graph-keys.ts';
import { pack, packedBytes, unpack } from '../../packed.ts';
import { partsOf, putParts, readParts } from '../../parts.ts';
import type { Table } from '../../table.ts';
import { updateItem } from '../../update-item.ts';

/** The run whose contents these are. */
export type RunRef = { readonly workspace: WorkspaceId; readonly job: ScopeId; readonly runId: string };

/** A run's item is written whole with each event, and holds 400 KB: what is longer is stored in items of its own. */
const maxInlineContentBytes = 3_000;
/** Seconds that a content outlives its run by: it need not be renewed with each event of a run that goes on for months. */
const contentGraceSeconds = 60 * 86_400;

/** Packed contents by their digests: the runs of a job say the same again and again. */
export type Packs = LRUCache<string, AttributeValue>;
export const newPacks = (): Packs => lruCache(2_000);

const keyOf =
  ({ workspace, ...run }: RunRef, digest: string) =>
  (part: number) =>
    runContentKey(workspace, run, digest, part);

/**
 * The attribute of a content in its run's item: the content, or how many parts it has and when they
 * expire. It is stored in an item of its own where it is long, or the item is full.
 */
export async function storedContent(
  table: Table,
  ref: RunRef,
  { digest, content }: { readonly digest: string; readonly content: unknown },
  { expiresAt, isFull, packs }: { readonly expiresAt: number; readonly isFull: boolean; readonly packs: Packs },
): Promise<AttributeValue> {
  const packed = packs.get(digest) ?? pack(content);
  const isLong = (packed.B?.length ?? 0) > maxInlineContentBytes;
  if (!isLong) packs.set(digest, packed);
  if (!isFull && !isLong) return packed;
  const bytes = packed.B ?? packedBytes(content);
  await putParts(table, bytes, keyOf(ref, digest), expiresAt + contentGraceSeconds);
  return pointer(partsOf(bytes), expiresAt + contentGraceSeconds);
}

const pointer = (parts: number, expiresAt: number): AttributeValue => ({
  L: [{ N: String(parts) }, { N: String(expiresAt) }],
});

/** The content of an attribute, or null where it expired. */
export async function readContent(
  table: Table,
  ref: RunRef,
  digest: string,
  stored: AttributeValue | undefined,
): Promise<unknown> {
  if (!stored?.L) return unpack(stored);
  const bytes = await readParts(table, Number(stored.L[0]?.N), keyOf(ref, digest));
  return bytes && unpack({ B: bytes });
}

/** Keeps what is stored outside of a run's item for longer, where the run has come to outlive it. */
export async function renewContents(table: Table, ref: RunRef, run: Item, expiresAt: number): Promise<void> {
  for (const name in run) {
    const [parts, expires] = run[name]?.L ?? [];
    if (!name.startsWith('e') || Number(expires?.N) >= expiresAt) continue;
    const digest = name.slice(1);
    const bytes = await readParts(table, Number(parts?.N), keyOf(ref, digest));
    if (!bytes) continue;
    await putParts(table, bytes, keyOf(ref, digest), expiresAt + contentGraceSeconds);
    await updateItem(table, runKey(ref.workspace, ref.job, ref.runId), {
      UpdateExpression: 'SET #e = :e',
      ExpressionAttributeNames: { '#e': name },
      ExpressionAttributeValues: { ':e': pointer(partsOf(bytes), expiresAt + contentGraceSeconds) },
    });
  }
}
