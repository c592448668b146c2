import { afterEach, expect, it, vi } from 'vitest';
import { environment } from '../../shared/runtime/environment.ts';

afterEach(() => void vi.unstubAllEnvs());

type Name = Parameters<typeof environment>[0];

/** What a variable is read as; null if it is refused. */
function read(name: string, text: string | undefined): unknown {
  vi.stubEnv(name, text);
  try {
    const value: unknown = environment(name as Name);
    return value instanceof Set ? [...value] : value === null ? 'null' : value;
  } catch (error) {
    expect(error).toMatchObject({ code: 'environment_variable', message: expect.stringContaining(name) });
    return null;
  }
}

it.each<[name: string, readings: Readonly<Record<string, unknown>>, missing: unknown]>([
  ['TABLE_NAME', { t: 't', '': null }, null],
  ['API_URL', { 'https://a.test': 'https://a.test', a: null, '': null }, null],
  ['COLLECT_URL', { 'https://a.test': 'https://a.test', a: null }, undefined],
  ['LOCAL_FOLDER', { f: 'f', '': null }, undefined],
  ['TOKEN_IN_FRAGMENT', { true: true, false: false, yes: null }, false],
  ['COLLECTION_ENABLED', { true: true, false: false }, true],
  ['HEALTH_STORES', { true: true, false: false }, false],
  ['COLLECTION_SINK', { lake: 'lake', iceberg: 'iceberg', discard: 'discard', other: null }, 'lake'],
  ['COLLECT_RATE', { 1: 1, 0: null, '-1': null, 1.5: null, 999999999: 999_999_999, 1000000000: null, '': null }, 2_000],
  ['EVENTS_DEDUP_DAYS', { 45: 45, 44: null }, 400],
  ['RECEIPTS_DAYS', { forever: 'null', 400: 400, 399: null, 99999: 99_999, 100000: null, never: null }, 'null'],
  ['WEBHOOK_ALLOWED_HOSTS', { 'A.test, b.test,,none': ['a.test', 'b.test'], none: [], ' ': [] }, []],
  ['CODEHOST_ALLOWED_HOSTS', { 'Git.test': ['git.test'], NONE: [] }, []],
  ['CODEHOST_APP_ID', { 7: '7' }, 'none'],
  ['CODEHOST_BASE_URL', { x: 'x' }, 'https://github.com'],
])(
  'the variable %s is read as it says, and a function does not start with another value',
  (name, readings, missing) => {
    expect(Object.fromEntries(Object.keys(readings).map((text) => [text, read(name, text)]))).toEqual(readings);
    expect(read(name, undefined)).toEqual(missing);
  },
);

it('a function gets the variable that it names', () => {
  vi.stubEnv('TABLE_NAME', 't');
  vi.stubEnv('TENANT', 'acme');
  expect([environment('TABLE_NAME'), environment('TENANT')]).toEqual(['t', 'acme']);
});
