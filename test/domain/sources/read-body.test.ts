import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../../../shared/contract/field-errors.ts';
import { DatahubAcquisition, DbtAcquisition, SqlmeshAcquisition } from '../../../shared/contract/lineage.ts';
import type { DeclaredKind } from '../../../shared/contract/vocabulary.ts';
import { duplicateKeyAt } from '../../../shared/domain/base/json/duplicate-keys.ts';
import { noJson } from '../../../shared/domain/base/json/read-json.ts';
import { type Connector, connectorDefaults } from '../../../shared/domain/lineage/names/connector.ts';
import { documentOf } from '../../../shared/domain/lineage/sources/item-index.ts';
import {
  declaredFieldErrors,
  readDeclared,
  readDeclaredBody,
} from '../../../shared/domain/lineage/sources/read-body.ts';
import { bodies, documents } from './any-document.ts';
import { scopeOf } from './declare.ts';

const connector = {
  ...connectorDefaults,
  id: 'c',
  workspace_id: 'w',
  kind: 'duckdb',
  name: 'duck',
  namespaces: [],
  datahub_platform_instances: [],
} as unknown as Connector;
const schemas = {
  dbt_manifest: DbtAcquisition,
  sqlmesh_project: SqlmeshAcquisition,
  datahub_catalog: DatahubAcquisition,
};

/** All that consists of a body before SQL is parsed. */
function meaningOf(kind: DeclaredKind, body: unknown) {
  const valid = v.safeParse(schemas[kind], body);
  if (!valid.success) return { refused: fieldErrors('', valid.issues) };
  const { document } = documentOf(kind, valid.output);
  const errors = declaredFieldErrors(document);
  if (errors.length > 0) return { refused: errors };
  const { derive, ...reading } = readDeclared(scopeOf(connector), document);
  const unparsed = { analyse: () => nothing };
  // What is derived on first use is compared once it is derived.
  const { derivations, relations, schemas: columns, unresolved } = derive(unparsed);
  return { reading, declared: { derivations, relations, columns, unresolved } };
}
const nothing = {
  statementKind: null,
  target: null,
  outputs: [],
  reads: [],
  indirect: [],
  indirectUnresolvedReason: null,
  indirectReasons: [],
  unresolvedReason: 'unread',
};

/** Chunks of the lengths that come around again and again. */
function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const next = at + (lengths[i % lengths.length] ?? 1);
    chunks.push(bytes.slice(at, next));
    at = next;
  }
  return chunks;
}
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

function bodyOf(read: Awaited<ReturnType<typeof readDeclaredBody>>): unknown {
  if (!read.ok) throw new Error('the body was refused');
  return read.body;
}

/** The result of `JSON.parse` for UTF-8 bytes without duplicate keys. */
function wholeOf(bytes: Uint8Array): { readonly value: unknown } | null {
  const text = Buffer.from(bytes).toString();
  try {
    const value: unknown = JSON.parse(text);
    return isUtf8(bytes) && duplicateKeyAt(text) === null ? { value } : null;
  } catch {
    return null;
  }
}

describe('a body that is read as received', () => {
  it('means what it means read whole, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(3), cuts, async ({ kind, body }, indent, lengths) => {
        const bytes = Buffer.from(JSON.stringify(body, null, indent));
        const read = await readDeclaredBody(kind, cut(bytes, lengths));
        expect(meaningOf(kind, bodyOf(read))).toEqual(meaningOf(kind, JSON.parse(bytes.toString())));
      }),
      { numRuns: 500 },
    );
  });

  it('is refused if it would be refused whole', async () => {
    const damages = fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', '0', ' ', '\u0001', 'é', '\ufeff'),
      ),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(bodies, damages, fc.option(fc.nat(255)), cuts, async ({ kind, body }, damage, byte, lengths) => {
        let text = JSON.stringify(body);
        for (const [at, by] of damage) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + by + text.slice(by === '' ? place + 1 : place);
        }
        const bytes = Buffer.from(text);
        if (byte !== null && bytes.length > 0) bytes[byte % bytes.length] = byte;
        const whole = wholeOf(bytes);
        const read = await readDeclaredBody(kind, cut(bytes, lengths));
        expect(read.ok).toBe(whole !== null);
        if (read.ok && whole) expect(meaningOf(kind, read.body)).toEqual(meaningOf(kind, whole.value));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['', ' ', 'null', '[]', '{', '}', '{}]', '}{', '{"export":[}', '{"export":[1,]}', '{"export":[,1]}'])(
    'is refused or read as JSON.parse does: %s',
    async (text) => {
      const bytes = Buffer.from(text);
      const read = await readDeclaredBody('datahub_catalog', cut(bytes, [1]));
      expect(read.ok).toBe(wholeOf(bytes) !== null);
    },
  );

  it.each([
    ['{"workspace_id":1,"workspace_id":2}', ['workspace_id']],
    [
      '{"manifest":{"nodes":{"a":{},"b":{"name":1,"columns":[0,{"x":1,"x":2}]}}}}',
      ['manifest', 'nodes', 'b', 'columns', 1, 'x'],
    ],
    ['{"manifest":{"nodes":{"a":{},"a":{}}}}', ['manifest', 'nodes', 'a']],
    ['{"manifest":{"nodes":[{},{},{"x":1,"x":2}]}}', ['manifest', 'nodes', 2, 'x']],
    ['{"manifest":[{},{"x":1,"\\u0078":2}]}', ['manifest', 1, 'x']],
    ['{"manifest":[{"x":1,"x":2},]}', ['manifest', 0, 'x']],
  ])('is refused with the place of the key that it names twice: %s', async (text, path) => {
    for (const lengths of [[1], [1_000]])
      expect(await readDeclaredBody('dbt_manifest', cut(Buffer.from(text), lengths))).toEqual({
        ok: false,
        namedTwice: path,
      });
  });

  it.each([
    '{"\\x":1,"manifest":[{"x":1,"x":2}]}',
    '{"\u0000":1,"manifest":{"nodes":[{"x":1,"x":2}]}}',
    '{"manifest":{"\\u00":1,"nodes":{"a":{"x":1,"x":2}}}}',
  ])('is no JSON where a key before an item that names one twice is none: %j', async (text) => {
    for (const lengths of [[1], [1_000]])
      expect(await readDeclaredBody('dbt_manifest', cut(Buffer.from(text), lengths))).toEqual(noJson);
  });

  it('keeps no fields that lineage does not need', async () => {
    const manifest = {
      nodes: { 'model.a': { resource_type: 'model', description: 'x', columns: { c: { name: 'c', meta: {} } } } },
      macros: { m: { macro_sql: 'x' } },
      selectors: ['x'],
    };
    const read = await readDeclaredBody('dbt_manifest', [Buffer.from(JSON.stringify({ manifest }))]);
    const node = { resource_type: 'model', columns: { c: { name: 'c' } } };
    expect(bodyOf(read)).toEqual({ manifest: { nodes: { 'model.a': node }, macros: {}, selectors: [] } });
  });

  it('means the same cut at every byte', async () => {
    const manifest: { nodes: Record<string, unknown> } = JSON.parse(
      readFileSync(new URL('../../../local/seed/sample/manifest.json', import.meta.url), 'utf8'),
    );
    const nodes = Object.fromEntries(Object.entries(manifest.nodes).slice(0, 4));
    for (const [content, size] of [[{ ...manifest, nodes }, 1] as const, [manifest, 101] as const]) {
      const bytes = Buffer.from(JSON.stringify({ workspace_id: 'w', connector_id: 'c', manifest: content }));
      const whole = await readDeclaredBody('dbt_manifest', [bytes]);
      expect(meaningOf('dbt_manifest', bodyOf(whole))).toHaveProperty('reading.invalidItems', []);
      expect(await readDeclaredBody('dbt_manifest', cut(bytes, [size]))).toEqual(whole);
    }
  });
});

describe('the digest of a document', () => {
  const digestOf = async (kind: DeclaredKind, text: string) => {
    const read = await readDeclaredBody(kind, [Buffer.from(text)]);
    return read.ok ? read.documentDigest : null;
  };
  const canonical = (value: unknown) => {
    try {
      return canonicalize(value);
    } catch {
      return JSON.stringify(value);
    }
  };
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, one]) => [key, reversed(one)])
        .reverse(),
    );
  };
  const wellFormed = (value: unknown) => JSON.stringify(value) === JSON.stringify(value).toWellFormed();

  it('does not depend on white space and the order of keys (C-INGEST-6)', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async ({ kind, body }) => {
        fc.pre(wellFormed(body));
        const other = await digestOf(kind, JSON.stringify(reversed(body), null, 2));
        expect(await digestOf(kind, JSON.stringify(body))).toBe(other);
      }),
    );
  });

  it('differs for another document, even if only unread fields differ', async () => {
    await fc.assert(
      fc.asyncProperty(documents.datahub_catalog, documents.datahub_catalog, async (a, b) => {
        const [one, other] = await Promise.all(
          [a, b].map((document) => digestOf('datahub_catalog', JSON.stringify({ export: document }))),
        );
        const isDocument = typeof a === 'object' && typeof b === 'object';
        if (isDocument) expect(one === other).toBe(canonical(a) === canonical(b));
      }),
    );
    const manifest = (macro: string) => JSON.stringify({ manifest: { nodes: {}, macros: { m: { sql: macro } } } });
    expect(await digestOf('dbt_manifest', manifest('a'))).not.toBe(await digestOf('dbt_manifest', manifest('b')));
  });
});
