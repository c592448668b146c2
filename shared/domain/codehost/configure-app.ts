import * as v from 'valibot';
import { CodehostKind, type PutAppConfig } from '../../contract/codehost-apps.ts';
import { AppConfigId, idOrNull } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import { idFromName } from '../workspaces/access/operator.ts';
import { type Author, auditEntry, randomId, type StoredRecord } from '../workspaces/access/records.ts';
import { baseUrlOf, type CodehostPorts } from './ports.ts';
import type { AppRecord, AppSecrets } from './records.ts';

/**
 * Configures an app. Its secrets are written first and under their own reference, so that the record of an app never
 * refers to missing secrets or to those of another write. Throws `not_found`, `validation_error` and `conflict`.
 */
export async function putApp(ports: CodehostPorts, author: Author, request: PutAppConfig): Promise<AppRecord> {
  const named = request.config_id === null ? null : await requireOwn(ports, author, request.config_id);
  const kind = kindOf(request, named?.record ?? null);
  const urls = urlsOf(ports, kind, request);
  const id = named?.record.id ?? idOf(author, request, urls.api_base_url);
  const before = named ?? (await ports.registry.apps.find({ workspace_id: author.workspace, id }));
  if (before) kindOf(request, before.record);
  const former = before && (await ports.secrets.get(before.record.secrets_ref));
  const secrets = secretsOf(request, former, ports.clock.now());
  const secrets_ref = [author.workspace, id, randomId(ports)].join('/');
  const record = recordOf(ports, author, { request, kind, urls, id, secrets, secrets_ref, before });
  await ports.secrets.put(secrets_ref, secrets);
  if (!(await written(ports, author, before, record))) {
    await ports.secrets.remove(secrets_ref);
    throw new Problem('conflict', { message: 'The app was changed at the same time. Try again.' });
  }
  if (before) await ports.secrets.remove(before.record.secrets_ref);
  return record;
}

type Urls = Pick<AppRecord, 'api_base_url' | 'codehost_base_url'>;

/** The addresses of a host and of its API: those of the request, or the defaults of the kind. */
export function urlsOf(
  { mayAsk, hosts }: Pick<CodehostPorts, 'mayAsk' | 'hosts'>,
  kind: CodehostKind,
  { codehost_base_url, api_base_url }: Pick<PutAppConfig, 'codehost_base_url' | 'api_base_url'>,
): Urls {
  const { publicHost, api } = hosts[kind].addresses;
  const host = baseUrlOf(codehost_base_url ?? publicHost, '/codehost_base_url', mayAsk);
  return { codehost_base_url: host, api_base_url: baseUrlOf(api_base_url ?? api(host), '/api_base_url', mayAsk) };
}

async function requireOwn({ registry }: CodehostPorts, { workspace }: Author, named: string) {
  const id = idOrNull(AppConfigId, named);
  const found = id && (await registry.apps.find({ workspace_id: workspace, id }));
  if (!found) throw new Problem('not_found');
  return found;
}

/** The kind of the app that is there, or of a new one. Throws `validation_error` if the request names another. */
function kindOf({ kind }: PutAppConfig, before: AppRecord | null): CodehostKind {
  if (before === null || kind === null || kind === before.kind)
    return before?.kind ?? v.parse(CodehostKind, kind ?? undefined);
  throw new Problem('validation_error', { errors: [{ path: '/kind', message: 'must be the kind that the app has' }] });
}

/** An app is one configuration, no matter how often it is put. */
const idOf = ({ workspace }: Author, { app_id }: PutAppConfig, api: string): AppConfigId =>
  v.parse(AppConfigId, idFromName('app', workspace, api, app_id));

/** A webhook secret that is replaced holds for an hour more: what is under way at the host was signed with it. */
function secretsOf(request: PutAppConfig, former: AppSecrets | null, now: Date): AppSecrets {
  const secrets: AppSecrets = {
    private_key: request.private_key,
    client_secret: request.client_secret ?? former?.client_secret ?? null,
    webhook_secrets: rotated(request.webhook_secret, former?.webhook_secrets ?? [], now),
  };
  if (Buffer.byteLength(JSON.stringify(secrets)) > limits.codehost.secretBytes) throw tooLarge();
  return secrets;
}

function rotated(
  secret: string | null,
  former: AppSecrets['webhook_secrets'],
  now: Date,
): AppSecrets['webhook_secrets'] {
  const at = now.toISOString();
  const holding = former.filter(({ valid_until }) => valid_until === null || valid_until > at);
  const current = holding.find(({ valid_until }) => valid_until === null);
  if (secret === null || secret === current?.secret) return holding;
  const until = new Date(now.getTime() + limits.codehost.formerSecretSeconds * 1_000).toISOString();
  return [
    { secret, valid_until: null },
    ...holding
      .filter((one) => one.secret !== secret)
      .map((one) => ({ ...one, valid_until: one.valid_until ?? until }))
      .slice(0, 2),
  ];
}

const tooLarge = () =>
  new Problem('validation_error', {
    errors: [
      {
        path: '/private_key',
        message: `and the other secrets must have at most ${limits.codehost.secretBytes} bytes together`,
      },
    ],
  });

type Parts = Pick<AppRecord, 'id' | 'secrets_ref'> & {
  readonly request: PutAppConfig;
  readonly kind: CodehostKind;
  readonly urls: Urls;
  readonly secrets: AppSecrets;
  readonly before: StoredRecord<AppRecord> | null;
};

function recordOf(ports: CodehostPorts, { workspace, userId }: Author, parts: Parts): AppRecord {
  const { request, kind, urls, id, secrets, secrets_ref, before } = parts;
  const at = ports.clock.now().toISOString();
  return {
    workspace_id: workspace,
    id,
    kind,
    app_id: request.app_id,
    app_slug: request.app_slug,
    client_id: request.client_id ?? before?.record.client_id ?? null,
    ...urls,
    secrets_ref,
    webhook_configured: secrets.webhook_secrets.length > 0,
    status: 'unvalidated',
    last_error: null,
    last_validated_at: null,
    created_at: before?.record.created_at ?? at,
    created_by: before?.record.created_by ?? userId,
    updated_at: at,
  };
}

function written(
  ports: CodehostPorts,
  { workspace, userId }: Author,
  before: StoredRecord<AppRecord> | null,
  record: AppRecord,
): Promise<boolean> {
  const { registry } = ports;
  const { id, kind, app_id, app_slug, api_base_url, webhook_configured } = record;
  const subject = { id, kind, app_id, app_slug, api_base_url, webhook_configured };
  const audit = registry.audit.create(
    auditEntry(ports, userId, { workspace_id: workspace, action: 'codehost_app.put', subject }),
  );
  const writes = before
    ? [registry.apps.replace(before, record)]
    : [registry.apps.create(record), registry.appPlaces.create({ id, workspace_id: workspace })];
  return registry.commit([...writes, audit]);
}
