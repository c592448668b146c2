import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { eventCheckModule } from '../../../scripts/build-event-check.ts';
import { CollectionEvent, eventTypes } from '../../../shared/contract/collection.ts';
import { isSurelyValid } from '../../../shared/domain/events/receive/generated/event-check.js';

const short = fc.stringMatching(/^[a-z ]{0,4}$/);
const long = fc.integer({ min: 195, max: 205 }).map((length) => 'x'.repeat(length));
const wide = fc.integer({ min: 95, max: 205 }).map((length) => '😀'.repeat(length));
const object = fc.dictionary(short, fc.jsonValue(), { maxKeys: 3, noNullPrototype: true });
const strange = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, '', ' ', '\u00a0', {}, []),
  fc.constant(JSON.rawJSON('12345678901234567890')),
);

/** Events with mostly valid fields, so that each rule decides about some. */
const eventsOf = (text: fc.Arbitrary<string>): fc.Arbitrary<unknown> => {
  const mostly = <T>(field: fc.Arbitrary<T>) => fc.oneof({ weight: 60, arbitrary: field }, strange);
  const identifier = mostly(text);
  const nullable = mostly(fc.option(text));
  const known = fc.record(
    {
      id: identifier,
      type: mostly(fc.constantFrom(...eventTypes)),
      timestamp: identifier,
      anonymous_id: nullable,
      user_id: nullable,
      event: nullable,
      session_id: nullable,
      group_type: nullable,
      group_key: nullable,
      groups: mostly(fc.dictionary(text, identifier, { maxKeys: 22, noNullPrototype: true })),
      properties: mostly(object),
      context: mostly(object),
      traits: mostly(object),
      set_once: mostly(object),
    },
    { requiredKeys: ['id', 'type', 'timestamp'], noNullPrototype: true },
  );
  return fc.tuple(known, fc.nat(9)).map(([event, n]) => (n > 0 ? event : { ...event, surprise: 1 }));
};
const takes = (event: unknown): boolean => v.is(CollectionEvent, event);

describe('the compiled check of an event', () => {
  it('is compiled from the schema as it is', () => {
    const written = new URL('../../../shared/domain/events/receive/generated/event-check.js', import.meta.url);
    expect(readFileSync(written, 'utf8')).toBe(eventCheckModule());
  });

  it('takes nothing that the schema refuses', () => {
    const events = fc.oneof(strange, eventsOf(fc.oneof(short, long, wide)));
    fc.assert(
      fc.property(events, (event) => {
        if (isSurelyValid(event)) expect(takes(event)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes all that the schema takes where a character is one UTF-16 unit', () => {
    const events = fc.oneof(
      strange,
      eventsOf(fc.oneof({ weight: 20, arbitrary: short.map((text) => `${text}x`) }, long)),
    );
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(events, (event) => {
        const used = takes(event);
        seen[used ? 'taken' : 'refused']++;
        expect(isSurelyValid(event)).toBe(used);
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(50);
  });
});
