import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProviderInstanceId, WorkspaceId } from '../../../shared/contract/ids.ts';
import { canonicalDigest } from '../../../shared/domain/base/digest.ts';
import {
  declaredDeliveryId,
  keyedProviderId,
  openLineageDeliveryId,
} from '../../../shared/domain/lineage/ingest/open-delivery.ts';

const text = fc.string({ maxLength: 5 });
const distinct = fc.uniqueArray(fc.tuple(text, text), {
  minLength: 2,
  maxLength: 2,
  selector: (pair) => pair.join('\0\0'),
});

describe('ids derived from the meaning of a request', () => {
  it('are UUIDs, equal for equal parts and different for different ones', () => {
    fc.assert(
      fc.property(distinct, ([a, b]) => {
        const id = ([workspace, key]: readonly [string, string]) =>
          openLineageDeliveryId(workspace as WorkspaceId, { key });
        expect(id(a ?? ['', ''])).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(id(a ?? ['', ''])).toBe(id(a ?? ['', '']));
        expect(id(a ?? ['', ''])).not.toBe(id(b ?? ['', '']));
      }),
    );
  });

  it('keep keys apart from digests, tools from tools and epochs from epochs', () => {
    const workspace = 'w' as WorkspaceId;
    const provider = keyedProviderId(workspace, 'k') satisfies ProviderInstanceId;
    const content = { digest: 'd', scopeKey: 's', epoch: 0 };
    const ids = [
      openLineageDeliveryId(workspace, { key: 'd' }),
      openLineageDeliveryId(workspace, { kind: 'openlineage_event', provider, digest: 'd' }),
      openLineageDeliveryId(workspace, { kind: 'openlineage_batch', provider, digest: 'd' }),
      declaredDeliveryId(workspace, 'dbt_manifest', { key: 'd' }),
      declaredDeliveryId(workspace, 'sqlmesh_project', { key: 'd' }),
      declaredDeliveryId(workspace, 'dbt_manifest', content),
      declaredDeliveryId(workspace, 'dbt_manifest', { ...content, epoch: 1 }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the digest of declared content', () => {
  const shuffled = (value: unknown, seed: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => shuffled(one, seed));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, one]) => [key, shuffled(one, seed)] as const);
    return Object.fromEntries(seed % 2 === 0 ? entries.reverse() : entries);
  };

  it('does not depend on the order of keys (C-INGEST-6)', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (body, seed) => {
        expect(canonicalDigest(shuffled(body, seed))).toBe(canonicalDigest(body));
      }),
    );
  });

  it('differs if the content differs', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(canonicalDigest({ export: a }) === canonicalDigest({ export: b })).toBe(isSame(a, b));
      }),
    );
  });

  it('can be made of content that RFC 8785 does not define', () => {
    const lone = JSON.parse('{"export":{"text":"\\ud800","huge":1e999}}');
    expect(canonicalDigest(lone)).toBe(canonicalDigest(structuredClone(lone)));
    expect(canonicalDigest(lone)).not.toBe(canonicalDigest({ export: {} }));
  });

  const isSame = (a: unknown, b: unknown): boolean => {
    const sorted = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sorted)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toSorted(([x], [y]) => (x < y ? -1 : 1))
                .map(([key, one]) => [key, sorted(one)]),
            )
          : value;
    return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
  };
});
