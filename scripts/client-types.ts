import { valueAt } from '../shared/contract/field-errors.ts';

type Schema = { readonly [key: string]: unknown };
type Description = { readonly [key: string]: unknown };

const methods = ['get', 'put', 'post', 'patch', 'delete'];

const header = `// Written by \`npm run openapi\` from the API description.

type Refused<Status extends number> = { [S in Status]: { content: { 'application/json': ErrorEnvelope } } };
`;

/** The TypeScript of an API description as `openapi-fetch` reads it: one interface `paths`, and a type a named schema. */
export function clientTypes(description: Description): string {
  const operation = (one: Schema) => operationType(description, one);
  const paths = Object.entries(objectOf(description['paths'])).map(([path, item]) => {
    const operations = Object.entries(objectOf(item)).filter(([method]) => methods.includes(method));
    return `  ${JSON.stringify(path)}: {\n${operations.map(([method, one]) => `    ${method}: ${operation(objectOf(one))};`).join('\n')}\n  };`;
  });
  const schemas = Object.entries(objectOf(objectOf(description['components'])['schemas'])).map(
    ([name, schema]) => `type ${name} = ${typeOf(schema)};`,
  );
  return `${header}\n${schemas.join('\n')}\n\nexport interface paths {\n${paths.join('\n')}\n}\n`;
}

function operationType(description: Description, { parameters, requestBody, responses }: Schema): string {
  const provided = listOf(parameters)
    .map(objectOf)
    .map((one) => (typeof one['$ref'] === 'string' ? objectOf(valueAt(description, one['$ref'])) : one));
  const places = ['query', 'path', 'header'].map((place) => parametersIn(place, provided));
  const body = requestBody === undefined ? '' : ` requestBody: ${content(objectOf(requestBody))};`;
  const all = Object.entries(objectOf(responses)).map(([status, one]) => ({ status, response: objectOf(one) }));
  const refused = all.filter(({ response }) => '$ref' in response).map(({ status }) => status);
  const replies = all
    .filter(({ response }) => !('$ref' in response))
    .map(({ status, response }) => `${status}: ${content(response)}`);
  return `{ parameters: { ${places.join(' ')} };${body} responses: { ${replies.join('; ')} } & Refused<${refused.join(' | ')}> }`;
}

function parametersIn(place: string, parameters: readonly Schema[]): string {
  const here = parameters.filter((one) => one['in'] === place);
  if (here.length === 0) return `${place}?: never;`;
  const fields = here.map((one) => field(String(one['name']), one['required'] === true, one['schema']));
  const optional = here.every((one) => one['required'] !== true) ? '?' : '';
  return `${place}${optional}: { ${fields.join('; ')} };`;
}

function content({ content: media }: Schema): string {
  const types = Object.entries(objectOf(media)).map(
    ([type, one]) => `${JSON.stringify(type)}: ${typeOf(objectOf(one)['schema'])}`,
  );
  return types.length === 0 ? '{ content?: never }' : `{ content: { ${types.join('; ')} } }`;
}

const field = (name: string, required: boolean, schema: unknown): string =>
  `${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`;

/** The TypeScript of a JSON Schema. */
export function typeOf(provided: unknown): string {
  const schema = objectOf(provided);
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1) ?? 'unknown';
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((one) => JSON.stringify(one)).join(' | ');
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return `(${choices.map(typeOf).join(' | ')})`;
  if (Array.isArray(schema['allOf'])) return `(${schema['allOf'].map(typeOf).join(' & ')})`;
  const type = schema['type'];
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (type === 'array') return `(${typeOf(schema['items'])})[]`;
  if (type === 'object') return objectType(schema);
  if (type === 'integer') return 'number';
  return typeof type === 'string' ? type : 'unknown';
}

function objectType({ properties, required, additionalProperties }: Schema): string {
  const needed = new Set(listOf(required));
  const fields = Object.entries(objectOf(properties)).map(([name, one]) => field(name, needed.has(name), one));
  if (fields.length > 0) return `{ ${fields.join('; ')} }`;
  return `{ [key: string]: ${additionalProperties === undefined || additionalProperties === true ? 'unknown' : typeOf(additionalProperties)} }`;
}

const objectOf = (value: unknown): Schema => (typeof value === 'object' && value !== null ? { ...value } : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
