import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { documentationOf } from '../fields.ts';

export type JsonSchema = { readonly [key: string]: unknown };

/** The JSON Schema (2020-12, as OpenAPI 3.1 has it) of a schema's input or output. */
export function jsonSchema(schema: v.GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const json = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode,
    ignoreActions: ['brand', 'check', 'raw_check', 'partial_check', 'guard'],
    overrideAction: ({ valibotAction }) => documented(valibotAction, typeMode),
  });
  return tidy(json) as JsonSchema;
}

function documented(part: object, typeMode: 'input' | 'output'): JsonSchema | null {
  const found = documentationOf(part);
  if (found === null) return null;
  return found['kind'] === 'schema' ? jsonSchema(found as v.GenericSchema, typeMode) : { ...found };
}

/** Without what says nothing; a default that stands as text in a query takes the type that is documented. */
function tidy(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(tidy);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).filter(([key, value]) => key !== '$schema' && !isPlainNames(key, value));
  const tidied: Record<string, unknown> = Object.fromEntries(entries.map(([key, value]) => [key, tidy(value)]));
  const isText = tidied['type'] === 'string' || typeof tidied['default'] !== 'string' || tidied['type'] === undefined;
  return isText ? tidied : { ...tidied, default: JSON.parse(String(tidied['default'])) };
}

const isPlainNames = (key: string, value: unknown): boolean =>
  key === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}';
