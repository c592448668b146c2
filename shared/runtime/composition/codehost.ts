import { randomBytes } from 'node:crypto';
import { appSecrets, appSecretsReader } from '../../adapters/app-secrets.ts';
import { secretsManagerClient, sqs } from '../../adapters/aws.ts';
import { gitHub } from '../../adapters/codehost/github.ts';
import { gitLab } from '../../adapters/codehost/gitlab.ts';
import { uploadStore } from '../../adapters/dynamodb/deliveries/small-payloads.ts';
import {
  checkSettingsReader,
  checkSettingsStore,
  codehostRegistry,
  commitLease,
  installationRegistry,
  manifestRecords,
  webhookMarks,
} from '../../adapters/dynamodb/registry/codehost-registry.ts';
import { isAllowedUrl } from '../../adapters/outbound/allowed-address.ts';
import { type GuardedFetch, guardedFetch } from '../../adapters/outbound/guarded-fetch.ts';
import { keepManifestBytes, keepWebhookBody, manifestBytes, webhookBody } from '../../adapters/s3/codehost-bodies.ts';
import { uploadPlace } from '../../adapters/s3/raw.ts';
import { fairQueue } from '../../adapters/sqs/projection.ts';
import type { DiffProject } from '../../contract/diff.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { systemClock } from '../../domain/base/time/timestamp.ts';
import type { CodeHosts } from '../../domain/codehost/code-host.ts';
import type { ServiceApp } from '../../domain/codehost/ports.ts';
import type { CommitManifest } from '../../domain/codehost/pull-requests/ports.ts';
import { diffBranch } from '../../domain/lineage/queries/diff/diff-branch.ts';
import { environment } from '../environment.ts';
import { comparingPorts } from './queries.ts';
import { rawBucket, returningMessages, settings, table } from './stores.ts';

/** The value of a setting that says nothing. */
const none = 'none';

/** While somebody waits, the host has less time than the gateway gives. */
const whileSomebodyWaits = { maxBytes: 4 * 1024 * 1024, timeoutMs: 8_000 };

/** A worker reads manifests and artifacts. */
const whileNobodyWaits = { maxBytes: 64 * 1024 * 1024, timeoutMs: 60_000 };

export function codehostPorts() {
  const records = manifestRecords(table());
  const keep = keepManifestBytes(rawBucket());
  return {
    ...basePorts(guardedFetch(allowedHosts(), whileSomebodyWaits)),
    registry: codehostRegistry(table()),
    secrets: appSecrets(secrets()),
    webhooks: { ...webhookMarks(table()), keepBody: keepWebhookBody(rawBucket()) },
    manifests: {
      put: async (manifest: CommitManifest, bytes: Uint8Array) => {
        await keep(manifest, bytes);
        await records.add(manifest);
      },
    },
    settings: checkSettingsStore(table(), randomBytes),
    connectorsOf: settings().connectorsOf,
    uploads: uploadStore(table()),
    place: uploadPlace(rawBucket()),
  };
}

export function pullRequestPorts(outbound = guardedFetch) {
  const fetch = outbound(allowedHosts(), whileNobodyWaits);
  const base = basePorts(fetch);
  const comparing = comparingPorts();
  return {
    ...base,
    registry: installationRegistry(table()),
    secrets: appSecretsReader(secrets()),
    webhooks: { body: webhookBody(rawBucket()) },
    manifests: { find: manifestRecords(table()).find, bytes: manifestBytes(rawBucket()) },
    settings: checkSettingsReader(table()),
    leaseOf: commitLease(table()),
    connectorsOf: comparing.connectorsOf,
    diff: (workspace: WorkspaceId, project: DiffProject) => diffBranch(comparing, workspace, project, base.clock.now()),
    handBack: returningMessages(),
  };
}

const allowedHosts = () => environment('CODEHOST_ALLOWED_HOSTS');

const secrets = () => ({ client: secretsManagerClient(), prefix: environment('SECRETS_PREFIX') });

function basePorts(fetch: GuardedFetch) {
  const hosts = allowedHosts();
  return {
    hosts: codeHosts(fetch),
    serviceApp: serviceApp(),
    mayAsk: (url: URL) => isAllowedUrl(url, hosts),
    codehostQueue: fairQueue({ client: sqs(), url: environment('CODEHOST_QUEUE_URL') }),
    clock: systemClock,
    randomBytes,
  };
}

export const codeHosts = (fetch: GuardedFetch): CodeHosts => ({ github: gitHub(fetch), gitlab: gitLab(fetch) });

/** The deployment's own app, where its settings name one; its secrets are the operator's to put. */
function serviceApp(): ServiceApp | null {
  const [app_id, app_slug] = [environment('CODEHOST_APP_ID'), environment('CODEHOST_APP_SLUG')];
  if (app_id === none || app_slug === none) return null;
  const client_id = environment('CODEHOST_CLIENT_ID');
  return {
    // An app of another kind is a token, which could not tell the workspaces' installations apart.
    kind: 'github',
    app_id,
    app_slug,
    client_id: client_id === none ? null : client_id,
    codehost_base_url: environment('CODEHOST_BASE_URL'),
    api_base_url: environment('CODEHOST_API_URL'),
    secrets_ref: 'service',
  };
}
