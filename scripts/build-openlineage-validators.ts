import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { _ } from 'ajv/dist/core.js';
import standalone from 'ajv/dist/standalone/index.js';
import { transformSync } from 'esbuild';
import { isJsonObject } from '../shared/domain/base/json/read-json.ts';
import { formats } from '../shared/domain/lineage/sources/openlineage/name-rules.ts';

const folder = new URL('../shared/domain/lineage/sources/openlineage/', import.meta.url);
const target = new URL('generated/validators.js', folder);

type Definition = { readonly allOf?: readonly { readonly $ref?: string }[] };
type FacetSchema = AnySchemaObject & {
  readonly $id: string;
  readonly $defs: Readonly<Record<string, Definition>>;
  readonly properties: Readonly<Record<string, unknown>>;
};
type Facet = { readonly place: string; readonly key: string; readonly id: string; readonly exported: string };

/** Which core definition a facet extends says where it attaches. */
const placeOfBase: ReadonlyMap<string | undefined, string> = new Map([
  ['RunFacet', 'run'],
  ['JobFacet', 'job'],
  ['DatasetFacet', 'dataset'],
  ['InputDatasetFacet', 'input'],
  ['OutputDatasetFacet', 'output'],
]);
const eventKinds = ['RunEvent', 'JobEvent', 'DatasetEvent'];

/** The source of the validator module: compiled once here, so that a cold start compiles nothing. */
export function validatorModule(): string {
  const schemas = readSchemas();
  const ajv = new Ajv2020({
    strict: false,
    formats,
    schemas,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  const core = schemas.find(({ $id }) => $id.endsWith('/OpenLineage.json'));
  if (!core) throw new Error('the core schema is missing');
  const facets = schemas.filter((schema) => schema !== core).flatMap(facetsOf);
  const code = standalone.default(ajv, {
    ...Object.fromEntries(eventKinds.map((kind) => [`is${kind}`, `${core.$id}#/$defs/${kind}`])),
    ...Object.fromEntries(facets.map(({ exported, id }) => [exported, id])),
  });
  if (code.includes('require(')) throw new Error('the generated module must import nothing but the formats');
  const module = `import { formats } from '../name-rules.ts';\n${code}\n${facetTable(facets)}`;
  const { code: small } = transformSync(module, { format: 'esm', minify: true, legalComments: 'none' });
  return `// Written by scripts/build-openlineage-validators.ts from ../schemas.\n${small}`;
}

function readSchemas(): FacetSchema[] {
  const schemas = new URL('schemas/', folder);
  const names = readdirSync(schemas).sort();
  return names.map((name) => JSON.parse(readFileSync(new URL(name, schemas), 'utf8'), withoutAnnotations));
}

/** The validators keep their schemas but never read descriptions and examples. */
function withoutAnnotations(key: string, value: unknown): unknown {
  // A property may be called so too: its definition is an object.
  const isAnnotation = ['description', 'example', 'examples'].includes(key) && !isJsonObject(value);
  return isAnnotation ? undefined : value;
}

function facetsOf(schema: FacetSchema): Facet[] {
  const [key, ...others] = Object.keys(schema.properties);
  if (key === undefined || others.length > 0) throw new Error(`${schema.$id} is not about one facet key`);
  return Object.entries(schema.$defs).flatMap(([name, definition]) => {
    const base = definition.allOf?.[0]?.$ref?.split('/').at(-1);
    const place = placeOfBase.get(base);
    return place ? [{ place, key, id: `${schema.$id}#/$defs/${name}`, exported: `is${name}` }] : [];
  });
}

function facetTable(facets: readonly Facet[]): string {
  const places = [...placeOfBase.values()].map((place) => {
    const entries = facets
      .filter((facet) => facet.place === place)
      .map(({ key, exported }) => `['${key}', ${exported}]`);
    return `  ${place}: new Map([${entries.join(', ')}]),`;
  });
  return `export const facetChecks = {\n${places.join('\n')}\n};\n`;
}

if (import.meta.main) writeFileSync(target, validatorModule());
