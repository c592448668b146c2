import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import * as v from 'valibot';
import { bundleFunctions } from '../lib/bundle-functions.ts';
import { bundleFolder, functionSpecs } from '../lib/function-specs.ts';
import { nodeOptions } from '../lib/functions.ts';
import { dynamodb } from '../shared/adapters/aws.ts';
import { registry } from '../shared/adapters/dynamodb/registry/registry.ts';
import { UserId } from '../shared/contract/ids.ts';
import { UploadTicket } from '../shared/contract/uploads.ts';
import { systemClock } from '../shared/domain/base/time/timestamp.ts';
import { createConnector } from '../shared/domain/workspaces/access/connectors.ts';
import { createToken } from '../shared/domain/workspaces/access/tokens.ts';
import { addMember, createWorkspace } from '../shared/domain/workspaces/access/workspaces.ts';
import { type Invoked, invoked } from './support/invoked.ts';
import { largeManifest } from './support/large-manifest.ts';
import { startStoresProcess } from './support/stores.ts';

// Usage: node bench/uploads.ts MANIFEST.json.gz [MiB]: takes a manifest of that size through an upload and projects it,
// by functions whose Node is started as the deployed one is.
const [, , source = '', size = '60'] = process.argv;
const user = v.parse(UserId, 'bench');
const Result = v.object({ statusCode: v.number(), body: v.string() });
const Receipt = v.looseObject({ delivery_id: v.string() });

const stores = await startStoresProcess();
process.env['OIDC_ISSUER'] = process.env['OIDC_AUDIENCE'] = process.env['OIDC_JWKS_URL'] = 'http://127.0.0.1:9/none';
await bundleFunctions(['uploads', 'document-projector']);
const operator = {
  registry: registry({ client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' }),
  clock: systemClock,
  randomBytes,
  actor: 'bench',
};
const { record: workspace } = await createWorkspace(operator, { name: 'bench' });
await addMember(operator, workspace.id, { user_id: user, role: 'editor' });
const { record: connector } = await createConnector(operator, workspace.id, { name: 'duck', kind: 'duckdb' });
const { token } = await createToken(operator, {
  workspace_id: workspace.id,
  user_id: user,
  name: 'bench',
  expires_in_days: 1,
  scopes: ['write'],
  client_kind: 'other',
});

const manifest = largeManifest(source, Number(size) * 1_024 * 1_024);
const bytes = Buffer.from(JSON.stringify({ workspace_id: workspace.id, connector_id: connector.id, manifest }));
const sha256 = createHash('sha256').update(bytes).digest('hex');
const { body: announced } = await send(
  '/v1/uploads',
  {},
  { kind: 'dbt_manifest', content_length: bytes.length, sha256 },
);
const { upload_id, url, headers } = v.parse(UploadTicket, announced);
const put = await fetch(url, { method: 'PUT', headers, body: bytes });
const completed = await send('/v1/uploads/{upload_id}/complete', { upload_id }, {});
const { delivery_id } = v.parse(Receipt, completed.body);
print('upload', { mib: bytes.length / 2 ** 20, put: put.status });
print('complete', { ...figures(completed), receipt: completed.body });
const projected = await invoked(
  path.join(bundleFolder('document-projector'), 'index.mjs'),
  {
    Records: [
      {
        messageId: 'one',
        body: JSON.stringify({ version: 1, workspace_id: workspace.id, delivery_id }),
        attributes: { ApproximateReceiveCount: '1' },
        eventSource: 'aws:sqs',
      },
    ],
  },
  nodeOptions(functionSpecs['document-projector']),
);
print('project', { ...figures(projected), result: projected.result });
stores.stop();

/** The answer of the uploads function to a request of the token's owner. */
async function send(resource: string, pathParameters: Record<string, string>, body: object) {
  const answer = await invoked(
    path.join(bundleFolder('uploads'), 'index.mjs'),
    {
      resource,
      path: resource,
      httpMethod: 'POST',
      pathParameters,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ workspace_id: workspace.id, ...body }),
      isBase64Encoded: false,
      requestContext: { requestId: 'bench' },
    },
    nodeOptions(functionSpecs.uploads),
  );
  return { ...answer, body: JSON.parse(v.parse(Result, answer.result).body) as unknown };
}

function figures({ seconds, cpuSeconds, peakMiB }: Invoked) {
  return { seconds, cpu_seconds: cpuSeconds, peak_mib: peakMiB };
}

function print(what: string, figures: object): void {
  console.log(JSON.stringify({ what, ...figures }));
}
