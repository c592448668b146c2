import { describe, expect, it } from 'vitest';
import { isLinearizable, type Operation } from '../../support/histories/linearizable.ts';
import {
  accessCode,
  enabledChecks,
  firstValue,
  keyedDelivery,
  policyFrom,
  snapshotsInOrder,
} from '../../support/histories/models.ts';

/** From and to are the times of request and answer. */
const op = <I, O>(input: I, output: O | null, began: number, ended: number): Operation<I, O> => ({
  input,
  output,
  began,
  ended,
});

type Keyed = 'accepted' | 'duplicate' | 'conflict';

describe('a history of deliveries under one key', () => {
  const check = (...history: Parameters<typeof isLinearizable<string | null, string, Keyed>>[0]) =>
    isLinearizable(history, keyedDelivery);

  it('is explained if one of the overlapping requests came first', () => {
    expect(check(op('a', 'conflict', 0, 9), op('b', 'accepted', 1, 8), op('b', 'duplicate', 2, 7))).toBe(true);
  });

  it('is a violation if two contents were accepted, or a duplicate was reported before the first acceptance', () => {
    expect(check(op('a', 'accepted', 0, 9), op('a', 'accepted', 1, 8))).toBe(false);
    expect(check(op('a', 'duplicate', 0, 1), op('a', 'accepted', 2, 3))).toBe(false);
  });

  it('counts a request without a response only if that explains the other responses', () => {
    expect(check(op<string, Keyed>('b', null, 0, 1), op('a', 'conflict', 5, 6))).toBe(true);
    expect(check(op<string, Keyed>('b', null, 7, 8), op('a', 'conflict', 5, 6))).toBe(false);
  });
});

describe('a history of a policy', () => {
  const revision = (number: number, value: string) => ({ revision: number, value });
  const policy = policyFrom(revision(0, ''));
  const one = op({ put: 'one' }, revision(1, 'one'), 0, 5);

  it('is explained if a read that overlaps a change returns the policy before or after it', () => {
    for (const reported of [revision(0, ''), revision(1, 'one')])
      expect(isLinearizable([one, op('get' as const, reported, 1, 4)], policy)).toBe(true);
  });

  it('is a violation if a read after the response to a PUT returns the previous policy, or a revision is created twice', () => {
    expect(isLinearizable([one, op('get' as const, revision(0, ''), 6, 7)], policy)).toBe(false);
    expect(isLinearizable([one, op({ put: 'two' }, revision(1, 'two'), 1, 4)], policy)).toBe(false);
  });

  it('is a violation if a later read returns an earlier revision than the read before it', () => {
    const questions = [op('get' as const, revision(1, 'one'), 1, 2), op('get' as const, revision(0, ''), 3, 4)];
    expect(isLinearizable([one, ...questions], policy)).toBe(false);
  });
});

describe('a history of enabled checks', () => {
  const create = (output: 'done' | 'refused', began: number, ended: number) =>
    op('create' as const, output, began, ended);

  it('is explained if a check is refused while the limit is reached', () => {
    expect(isLinearizable([create('refused', 0, 9), create('done', 1, 8)], enabledChecks(1))).toBe(true);
  });

  it('is a violation if the limit is exceeded, or a check is refused while there is room', () => {
    expect(isLinearizable([create('done', 0, 9), create('done', 1, 8)], enabledChecks(1))).toBe(false);
    expect(isLinearizable([create('refused', 0, 1), create('done', 2, 3)], enabledChecks(1))).toBe(false);
    expect(isLinearizable([create('done', 0, 1), op('list' as const, 2, 2, 3)], enabledChecks(1))).toBe(false);
  });
});

it('is not explained where an access code is spent twice, or refused before it was spent', () => {
  const exchange = (output: 'token' | 'refused', began: number, ended: number) =>
    op('exchange' as const, output, began, ended);
  expect(isLinearizable([exchange('token', 0, 9), exchange('refused', 1, 8)], accessCode)).toBe(true);
  expect(isLinearizable([exchange('token', 0, 9), exchange('token', 1, 8)], accessCode)).toBe(false);
  expect(isLinearizable([exchange('refused', 0, 1), exchange('token', 2, 3)], accessCode)).toBe(false);
});

describe('a history of an event id', () => {
  const send = (value: string) => op<{ send: string }, readonly string[]>({ send: value }, null, 0, 1);
  const read = (values: readonly string[], began: number) => op('read' as const, values, began, began + 1);
  const check = (...reads: ReturnType<typeof read>[]) => isLinearizable([send('a'), send('b'), ...reads], firstValue);

  it('is explained if either of two values is stored, at any time after it was sent', () => {
    expect(check(read([], 2), read(['b'], 4), read(['b'], 6))).toBe(true);
  });

  it('is a violation if the stored value changes, disappears, is doubled or was never sent', () => {
    expect(check(read(['a'], 2), read(['b'], 4))).toBe(false);
    expect(check(read(['a'], 2), read([], 4))).toBe(false);
    expect(check(read(['a', 'a'], 2))).toBe(false);
    expect(check(read(['c'], 2))).toBe(false);
  });
});

describe('a history of snapshots of one scope', () => {
  const send = (value: string, began: number) => op({ send: value }, [value], began, began + 1);
  const read = (value: string, began: number) => op('read' as const, [value], began, began + 1);
  const last = (...values: string[]) => op('read at the end' as const, values, 90, 91);
  const check = (...rest: Operation<'read' | 'read at the end', readonly string[]>[]) =>
    isLinearizable([send('a', 0), send('b', 2), ...rest], snapshotsInOrder);

  it('is explained if readers see snapshots late, and skip one', () => {
    expect(check(read('a', 10), last('b'))).toBe(true);
    expect(check(read('b', 10), last('b'))).toBe(true);
  });

  it('is a violation if an older snapshot comes back, or is the last one', () => {
    expect(check(read('b', 10), read('a', 12), last('b'))).toBe(false);
    expect(check(last('a'))).toBe(false);
    expect(check(last())).toBe(false);
  });

  it('is a violation if a reader sees two snapshots at once, a part of one, or nothing any more', () => {
    const seen = (...values: string[]) => op('read' as const, values, 10, 11);
    expect(check(seen(), read('a', 12), last('b'))).toBe(true);
    expect(check(seen('a', 'b'), last('b'))).toBe(false);
    expect(check(seen('a part of a'), last('b'))).toBe(false);
    expect(check(read('a', 8), seen(), last('b'))).toBe(false);
  });
});
