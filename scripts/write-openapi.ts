import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fleetSchema } from '../lib/fleet.ts';
import { tenantSchema } from '../lib/tenant.ts';
import { collectionOpenApi, serviceOpenApi } from '../shared/contract/api/openapi.ts';
import { routes } from '../shared/contract/api/routes.ts';
import { clientTypes } from './client-types.ts';
import { spacedJson } from './spaced-json.ts';

const folder = path.resolve(import.meta.dirname, '../docs/openapi');
const documents = { collection: collectionOpenApi(routes), service: serviceOpenApi(routes) };

await mkdir(folder, { recursive: true });
for (const [name, document] of Object.entries(documents))
  await writeFile(path.join(folder, `${name}.json`), `${spacedJson(document)}\n`);

const schemas = { tenant: tenantSchema(), fleet: fleetSchema() };
for (const [name, schema] of Object.entries(schemas))
  await writeFile(path.resolve(folder, `../${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);

const client = path.resolve(import.meta.dirname, '../web/src/api/generated');
await mkdir(client, { recursive: true });
await writeFile(path.join(client, 'service.ts'), clientTypes(documents.service));
