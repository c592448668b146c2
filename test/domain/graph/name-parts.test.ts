import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  indexedBeginning,
  indexedTails,
  leadingBeginning,
  nameTails,
  searchWords,
} from '../../../shared/domain/lineage/graph/name-parts.ts';

describe('the tails of a name', () => {
  it.each([
    ['analytics.public.stg_orders', ['analytics.public.stg_orders', 'public.stg_orders', 'stg_orders', 'orders']],
    ['ORDERS_DAILY', ['orders_daily', 'daily']],
    ['customerOrders', ['customerorders', 'orders']],
    ['HTTPServer2Log', ['httpserver2log', 'server2log', 'log']],
    ['"My Table".x', ['my table".x', 'table".x', 'x']],
    ['s3://lake/raw-events/v1', ['s3://lake/raw-events/v1', 'lake/raw-events/v1', 'raw-events/v1', 'events/v1', 'v1']],
    ['größe.ÄPFEL', ['größe.äpfel', 'äpfel']],
    ['"$"', ['"$"']],
  ])('of %s begin at its parts', (name, tails) => {
    expect(nameTails(name)).toEqual(tails);
  });

  it('are the parts that a plain reading of the rule finds (C-RELATION-1)', () => {
    const word = fc.stringMatching(/^[A-Z]{0,3}[a-z]{1,4}$/);
    const separator = fc.constantFrom('.', '_', '-', '/');
    fc.assert(
      fc.property(fc.array(fc.tuple(separator, word), { minLength: 1, maxLength: 6 }), (pieces) => {
        const name = pieces.map(([mark, text]) => mark + text).join('');
        const marked = name.replace(/([a-z])([A-Z])/g, '$1\0$2').replace(/([A-Z])([A-Z][a-z])/g, '$1\0$2');
        const parts = marked.split(/[._/\0-]/).filter((part) => part !== '');
        const beginnings = nameTails(name).map((tail) => /^[a-z]+/.exec(tail)?.[0] ?? '');
        for (const part of parts)
          expect(beginnings.some((beginning) => beginning.startsWith(part.toLowerCase()))).toBe(true);
        expect(nameTails(name).length).toBeLessThanOrEqual(parts.length);
      }),
    );
  });

  it('are bounded for any text, and no tail is cut through a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3_000 }), (name) => {
        const tails = nameTails(name);
        expect(tails.length).toBeLessThanOrEqual(32);
        for (const tail of tails) expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(900);
        for (const tail of tails) expect(tail.isWellFormed()).toBe(true);
      }),
    );
    expect(nameTails(Array.from({ length: 1_000 }, (_, n) => `p${n}`).join('.'))).toHaveLength(32);
  });
});

describe('the words of a search', () => {
  it('are split at spaces, in lower case, without what no part begins with', () => {
    expect(searchWords('  Public."Orders"  stg_ORDERS "x" ')).toEqual(['public."orders"', 'stg_orders', 'x"']);
    expect(searchWords(' ')).toEqual([]);
  });
});

describe('the indexed tails of a name', () => {
  it('leave out its leading part, which many names share', () => {
    expect(indexedTails('crm_eu.core.stg_orders')).toEqual({
      own: ['core.stg_orders', 'stg_orders', 'orders'],
      leading: ['crm_eu', 'eu'],
    });
    expect(indexedTails('postgres://host:5432/a')).toEqual({
      own: ['host:5432/a', '5432/a', 'a'],
      leading: ['postgres:'],
    });
    expect(indexedTails('orders_daily')).toEqual({ own: ['orders_daily', 'daily'], leading: [] });
  });

  it('lead to a name from every word that it matches', () => {
    const name = fc.array(fc.stringMatching(/^[a-c]{1,3}([._/:-]{1,2}[A-Ca-c]{1,3})?$/), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(name, fc.nat(), fc.nat(), (parts, pick, length) => {
        const text = parts.join('.');
        const tails = nameTails(text);
        const [word] = searchWords((tails[pick % tails.length] ?? '').slice(0, 1 + (length % 12)));
        const { own, leading } = indexedTails(text);
        const beginning = indexedBeginning(word ?? '');
        const before = leadingBeginning(word ?? '');
        const leads = leading.some((tail) => before !== null && tail.startsWith(before));
        expect(leads || own.some((tail) => tail.startsWith(beginning)), `${text} by ${word}`).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
