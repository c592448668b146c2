import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/contract/limits.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { canonicalDigest } from '../../shared/domain/base/digest.ts';
import { readJson } from '../../shared/domain/base/json/read-json.ts';
import { parsePosthogBatch } from '../../shared/domain/events/posthog/body.ts';
import { parseNativeBatch } from '../../shared/domain/events/receive/validate-events.ts';
import { validateEvent } from '../../shared/domain/lineage/sources/openlineage/validate.ts';

const receivedAt = '2026-11-20T12:00:00.000Z';
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
/** A number whose digits a double does not hold is read in another way. */
const digits = '12345678901234567890123';
const levels = 15_000;

const native = (fields: string) =>
  `{"project_key":"k","events":[{"id":"1","type":"track","event":"e","user_id":"u","timestamp":"${receivedAt}",${fields}}]}`;
const compatible = (fields: string) => `{"api_key":"k","batch":[{"event":"e","distinct_id":"u",${fields}}]}`;

/** Status and first place of a refusal; an exception of any other kind fails the test. */
function refusalOf(
  read: () => { readonly lines: (reception: { receivedAt: string; attempt: string }) => unknown },
): readonly [number, string] | null {
  try {
    read().lines({ receivedAt, attempt: '' });
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [error.status, error.errors[0]?.path ?? ''];
  }
}

describe('thousands of nested arrays on a collection route are 422 at their place (C-LIMIT-10)', () => {
  const deep = nested(levels);

  it.each<readonly [string, string, string]>([
    ['in properties', native(`"properties":{"a":${deep}}`), '/events/0/properties'],
    ['in context', native(`"context":{"a":${deep}}`), '/events/0/context'],
    ['in traits', native(`"traits":{"a":${deep}}`), '/events/0/traits'],
    ['in a field that takes none', native(`"anonymous_id":${deep}`), '/events/0'],
    ['beside a number of many digits', native(`"properties":{"n":${digits},"a":${deep}}`), '/events/0/properties'],
    ['as the event', `{"project_key":"k","events":[${deep}]}`, '/events/0'],
    ['as the events', `{"project_key":"k","events":${deep}}`, '/events/0'],
    ['as the body', deep, '/project_key'],
    ['as the project key', `{"project_key":${deep},"events":[{}]}`, '/project_key'],
  ])('%s of the native one', (_, text, path) => {
    expect(refusalOf(() => parseNativeBatch(text))).toEqual([422, path]);
  });

  it.each<readonly [string, string, string]>([
    ['in properties', compatible(`"properties":{"a":${deep}}`), '/batch/0/properties'],
    ['in $set', compatible(`"$set":{"a":${deep}}`), '/batch/0'],
    ['as a group key', compatible(`"properties":{"$group_key":${deep}}`), '/batch/0/properties'],
    ['beside a number of many digits', compatible(`"properties":{"n":${digits},"a":${deep}}`), '/batch/0/properties'],
    ['as the event', `{"api_key":"k","batch":[${deep}]}`, '/batch/0'],
    ['beside the events', `{"api_key":"k","sent_at":${deep},"batch":[{"event":"e","distinct_id":"u"}]}`, ''],
  ])('%s of the compatible one', (_, text, path) => {
    expect(refusalOf(() => parsePosthogBatch(text))).toEqual([422, path]);
  });

  it('do not exhaust the stack if they are nested less', () => {
    const most = nested(limits.json.nesting - 4);
    expect(refusalOf(() => parseNativeBatch(native(`"context":{"a":${most}}`)))).toBeNull();
    expect(refusalOf(() => parseNativeBatch(native(`"context":{"n":${digits},"a":${most}}`)))).toBeNull();
    expect(refusalOf(() => parsePosthogBatch(compatible(`"$set":{"n":${digits},"a":${most}}`)))).toBeNull();
    const { value } = readJson(Buffer.from(nested(limits.json.nesting)));
    expect(() => canonicalDigest(value)).not.toThrow();
    expect(() => validateEvent({ job: { namespace: 'n', name: 'n', facets: { a: value } } })).not.toThrow();
  });
});

describe('a value of another kind than its field takes', () => {
  const odd = [
    '{"toString":1}',
    '{"valueOf":null,"toString":null}',
    '{"__proto__":null}',
    '[[]]',
    'true',
    '1e999',
    digits,
  ];
  const fields = ['$group_key', '$group_type', 'distinct_id', '$groups', '$set', '$session_id', '$device_id', 'token'];
  const events = ['$groupidentify', '$identify', '$set', '$pageview', 'custom'];

  it('is refused or taken, and breaks nothing, wherever it is in a compatible event', () => {
    for (const event of events)
      for (const field of fields)
        for (const value of odd)
          for (const text of [
            `{"api_key":"k","batch":[{"event":"${event}","distinct_id":"u","properties":{"${field}":${value}}}]}`,
            `{"api_key":"k","batch":[{"event":"${event}","distinct_id":"u","${field}":${value}}]}`,
          ]) {
            const refusal = refusalOf(() => parsePosthogBatch(text));
            if (refusal !== null) expect([401, 422]).toContain(refusal[0]);
          }
  });

  it('is 422 at its place as the key of a group', () => {
    const properties = '{"$group_type":"company","$group_key":{"toString":1}}';
    const text = `{"api_key":"k","batch":[{"event":"$groupidentify","distinct_id":"u","properties":${properties}}]}`;
    expect(refusalOf(() => parsePosthogBatch(text))).toEqual([422, '/batch/0/properties/$group_key']);
  });
});
