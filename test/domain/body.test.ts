import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { accessRoutes } from '../../shared/contract/access.ts';
import { codehostCheckRoutes } from '../../shared/contract/codehost-checks.ts';
import { collectionRoutes } from '../../shared/contract/collection.ts';
import type { Body } from '../../shared/contract/route.ts';
import { checkBodyHead, gathered, inflate, inflateChunks } from '../../shared/domain/base/body.ts';

const routes: readonly (readonly [string, Body])[] = [
  ['JSON', codehostCheckRoutes.postManifest.body],
  ['native events', collectionRoutes.collectBatch.body],
  ['PostHog events', collectionRoutes.collectCompatible.body],
];

describe.each(routes)('the headers of a body of %s', (_, body) => {
  const head = (contentType: string, encoding?: string) => {
    const headers = { 'content-type': contentType, 'content-encoding': encoding };
    return checkBodyHead(body, { headers, bytes: gzipSync('{}') });
  };

  it.each([
    ['application/json; charset=latin1', undefined, 'unsupported_media_type'],
    ['application/json; charset = utf-16', undefined, 'unsupported_media_type'],
    ['text/csv', undefined, 'unsupported_media_type'],
    ['application/json', 'br', 'unsupported_content_encoding'],
    ['application/json', 'gzip, gzip', 'unsupported_content_encoding'],
  ])('are refused by one rule: %s, %s (C-ERROR-5, C-ERROR-7)', (contentType, encoding, code) => {
    expect(() => head(contentType, encoding)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['application/json', undefined, null],
    ['Application/JSON ; charset="UTF-8"', 'Identity', null],
    ['application/json; charset = us-ascii', ' x-gzip ', 'gzip'],
  ])('are accepted by one rule: %s, %s', (contentType, encoding, expected) => {
    expect(head(contentType, encoding)).toBe(expected);
  });
});

describe('the headers of a body', () => {
  it('may be of a body that API Gateway has inflated, which it does under no other name of gzip (C-COLLECT-22)', () => {
    const encodingOf = (encoding: string) =>
      checkBodyHead(collectionRoutes.collectCompatible.body, {
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        bytes: Buffer.from('{}'),
      });
    expect([encodingOf('gzip'), encodingOf('x-gzip')]).toEqual([null, 'gzip']);
  });

  it('may name other media types and gzip only if the route declares them', () => {
    const head = (body: Body, headers: Record<string, string>) => () =>
      checkBodyHead(body, { headers, bytes: Buffer.from('{}') });
    const text = { 'content-type': 'text/plain' };
    expect(head(collectionRoutes.collectCompatible.body, text)()).toBeNull();
    expect(head(collectionRoutes.collectBatch.body, text)).toThrow();
    expect(
      head(accessRoutes.createToken.body, { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
    ).toThrow(expect.objectContaining({ code: 'unsupported_content_encoding' }));
  });
});

describe.each([
  ['as a whole', async (bytes: Uint8Array, max: number) => inflate(bytes, max)],
  ['in chunks', (bytes: Uint8Array, max: number) => gathered(inflateChunks([bytes], max))],
])('gzip that is inflated %s', (_, read) => {
  it('has at most the bytes that the route allows (C-ERROR-5, C-ERROR-7)', async () => {
    expect(Buffer.from(await read(gzipSync('{"a":1}'), 7)).toString()).toBe('{"a":1}');
    await expect(read(gzipSync('{"a":1}'), 6)).rejects.toMatchObject({ code: 'body_too_large' });
  });

  it('is refused if it is cut off or corrupt', async () => {
    const bytes = gzipSync('{"a":1}');
    await expect(read(bytes.subarray(0, 12), 9)).rejects.toMatchObject({ code: 'invalid_compression' });
    await expect(read(Buffer.from('plain'), 9)).rejects.toMatchObject({ code: 'invalid_compression' });
  });
});
