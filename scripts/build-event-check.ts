import { writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { _, type CodeKeywordDefinition } from 'ajv/dist/core.js';
import standalone from 'ajv/dist/standalone/index.js';
import { jsonSchema } from '../shared/contract/api/openapi-schema.ts';
import { CollectionEvent } from '../shared/contract/collection.ts';

const target = new URL('../shared/domain/events/receive/generated/event-check.js', import.meta.url);

/**
 * Stricter than the schema where that is cheaper, so that nothing is imported. A character is one or two UTF-16 units;
 * a number that is kept as text is an object without a prototype.
 */
const keywords: readonly CodeKeywordDefinition[] = [
  {
    keyword: 'maxLength',
    type: 'string',
    schemaType: 'number',
    code: (context) => context.fail(_`${context.data}.length > ${context.schema}`),
  },
  {
    keyword: 'minLength',
    type: 'string',
    schemaType: 'number',
    code: (context) => context.fail(_`${context.data}.length < ${2 * context.schema - 1}`),
  },
  {
    keyword: 'isJsonObject',
    type: 'object',
    schemaType: 'boolean',
    code: (context) => context.fail(_`Object.getPrototypeOf(${context.data}) !== Object.prototype`),
  },
];

/** The source of a check compiled from `CollectionEvent`: what it takes the schema takes, what it refuses the schema judges. */
export function eventCheckModule(): string {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    messages: false,
    code: { source: true, esm: true },
  });
  for (const keyword of keywords) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
  ajv.addSchema(withJsonObjects(jsonSchema(CollectionEvent, 'input')), 'event');
  const code = standalone.default(ajv, { isSurelyValid: 'event' });
  if (code.includes('require(')) throw new Error('the generated module must import nothing');
  return `// Written by scripts/build-event-check.ts from CollectionEvent.\n${code}\n`;
}

const withJsonObjects = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_, part) => (part?.type === 'object' ? { ...part, isJsonObject: true } : part));

if (import.meta.main) writeFileSync(target, eventCheckModule());
