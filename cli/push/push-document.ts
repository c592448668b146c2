import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as v from 'valibot';
import type { Api } from '../../shared/client/api.ts';
import { ApiFailure, Unreachable } from '../../shared/client/api-failure.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { LineageDelivery } from '../../shared/contract/deliveries.ts';
import { limits } from '../../shared/contract/limits.ts';
import { UploadTicket } from '../../shared/contract/uploads.ts';
import type { DeclaredKind, DeliveryKind } from '../../shared/contract/vocabulary.ts';
import { CommandError, type ExitCode, exitCodes, notFound, type Outcome, UsageError } from '../outcome.ts';
import type { Place, Session } from '../session.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';
import { describeDelivery, settledDelivery } from './describe-delivery.ts';

type PushOptions = { readonly wait: boolean };

const Skipped = v.object({ accepted: v.literal(false), skipped: v.string() });
const Accepted = v.object({ delivery_id: v.string(), duplicate: v.boolean() });
type Accepted = v.InferOutput<typeof Accepted>;

export async function pushDocument(
  session: Session,
  document: OutgoingDocument,
  { wait }: PushOptions,
): Promise<Outcome> {
  session.progress.say('sending');
  const json = await sendLinking(session, document);
  if (v.is(Skipped, json)) return skipped(json, json.skipped);
  const receipt = v.parse(Accepted, json);
  const delivery = wait ? await settledDelivery(session, receipt.delivery_id) : null;
  return {
    json: { receipt: json, delivery },
    text: () => lines(receipt, delivery).join('\n'),
    exitCode: delivery ? exitCodeOf([delivery]) : exitCodes.done,
    ...(delivery && { warnings: adviceOn(delivery) }),
  };
}

/** A complete snapshot takes a project that is linked: it is linked where the caller may, and sent again. */
async function sendLinking(session: Session, document: OutgoingDocument): Promise<unknown> {
  const [api, workspace] = [await session.api(), await session.workspace()];
  const { project_id } = document.fields;
  try {
    return await sendDocument(api, workspace.id, document);
  } catch (error) {
    const isUnlinked = error instanceof ApiFailure && error.status === 404 && project_id !== undefined;
    if (!isUnlinked) throw error;
    await linkProject(api, workspace, project_id);
    return sendDocument(api, workspace.id, document);
  }
}

const skipped = (json: unknown, why: string): Outcome => ({
  json: { receipt: json, delivery: null },
  text: () => `Nothing was accepted: ${printable(why.replaceAll('_', ' '))}.`,
  warnings: ['tributary providers lists the feeds; tributary providers resume ID lets one send again.'],
  exitCode: exitCodes.wanting,
});

function lines(receipt: Accepted, delivery: LineageDelivery | null): string[] {
  const known = receipt.duplicate ? ['This content was already sent. Its result:'] : [];
  if (delivery === null) return [...known, `Accepted as ${printable(receipt.delivery_id)}.`];
  return [...known, ...describeDelivery(delivery)];
}

/** Quarantined items and held snapshots are found wanting; only a store that failed makes a delivery fail. */
export function exitCodeOf(deliveries: readonly LineageDelivery[]): ExitCode {
  if (deliveries.some(({ state }) => state === 'failed')) return exitCodes.unavailable;
  const isWanting = ({ state, invalid_item_count }: LineageDelivery) => state === 'held' || invalid_item_count > 0;
  return deliveries.some(isWanting) ? exitCodes.wanting : exitCodes.done;
}

export function adviceOn({ delivery_id, state }: LineageDelivery): string[] {
  if (state === 'failed')
    return [`The service could not process it. To retry: tributary deliveries retry ${delivery_id}`];
  if (state === 'held')
    return [
      `It is held because it would retract a large share of the evidence. To release it: tributary deliveries release ${delivery_id}`,
    ];
  if (state === 'superseded') return ['It was superseded by a newer snapshot of the same scope.'];
  return [];
}

type OutgoingDocument = {
  readonly kind: DeclaredKind;
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly parts: Readonly<Record<string, Buffer>>;
  /** Names the delivery; derived from the content and `commit` if there is none. */
  readonly key: string | undefined;
  readonly commit: string | null;
  /** Takes the document although its platform is not the connector's; no part of its key. */
  readonly force?: boolean | undefined;
};

const compressFrom = 32 * 1024;
const zip = promisify(gzip);

const declaredRoutes = {
  dbt_manifest: routes.postDbtManifest,
  sqlmesh_project: routes.postSqlmeshProject,
  datahub_catalog: routes.postDatahubExport,
} as const satisfies Record<DeclaredKind, unknown>;

async function sendDocument(api: Api, workspace_id: string, document: OutgoingDocument): Promise<unknown> {
  const key = document.key ?? keyOf(document);
  const body = joined(
    { ...document.fields, workspace_id, source_event_key: key, force: document.force },
    document.parts,
  );
  if (body.length > limits.declared.bodyBytes)
    throw new UsageError(`The document has ${body.length} bytes. The maximum is ${limits.declared.bodyBytes}.`);
  const isCompressed = body.length > compressFrom;
  const bytes = new Uint8Array(isCompressed ? await zip(body) : body);
  const encoding = isCompressed ? 'gzip' : null;
  if (bytes.length > limits.inlineBytes)
    return upload(api, { workspace_id, kind: document.kind, idempotency_key: key, bytes, encoding });
  return api.ask(declaredRoutes[document.kind], {
    bytes,
    headers: { ...(encoding && { 'content-encoding': encoding }) },
  });
}

/** The same content of the same commit is the same delivery, whatever repeats the command. */
function keyOf({ kind, fields, parts, commit }: OutgoingDocument): string {
  const digest = createHash('sha256').update(joined(fields, parts)).digest('hex');
  return [kind, commit ?? 'no-commit', digest].join(':');
}

/** One JSON object of fields and of parts that are JSON already: they are not parsed and written anew. */
function joined(
  fields: Readonly<Record<string, string | boolean | undefined>>,
  parts: OutgoingDocument['parts'],
): Buffer {
  const head = JSON.stringify(fields).slice(0, -1);
  const tail = Object.entries(parts).flatMap(([name, bytes]) => [Buffer.from(`,${JSON.stringify(name)}:`), bytes]);
  return Buffer.concat([Buffer.from(head), ...tail, Buffer.from('}')]);
}

/** The commit that CI reports, or else the one checked out in the folder; null without a repository. */
export function commitOf({ env }: Terminal, folder: string): string | null {
  const variables = [
    'GITHUB_SHA',
    'CI_COMMIT_SHA',
    'BUILDKITE_COMMIT',
    'CIRCLE_SHA1',
    'BITBUCKET_COMMIT',
    'GIT_COMMIT',
  ];
  const commit = variables.map((name) => env[name]).find((value) => value) ?? checkedOut(folder);
  return commit !== null && /^[0-9a-f]{7,64}$/.test(commit) ? commit : null;
}

function checkedOut(folder: string): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    }).trim();
  } catch {
    // No git, or no repository: only the content names the delivery.
    return null;
  }
}

async function linkProject(api: Api, workspace: Place, project_id: string): Promise<void> {
  try {
    await api.ask(routes.linkProject, { body: { workspace_id: workspace.id, project_id } });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const name = printable(project_id);
    throw notFound(`The project ${name} is not linked to the workspace, and you may not link it.`, [
      `An admin of the workspace can link it with this command, or with tributary admin linked-projects link ${printable(workspace.name)} ${name}`,
      'If the project is linked under another id, pass --project ID.',
    ]);
  }
}

type Upload = {
  readonly workspace_id: string;
  readonly kind: DeliveryKind;
  readonly idempotency_key: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: 'gzip' | null;
  readonly binding?: { readonly connector_id?: string | undefined; readonly provider_key?: string | undefined };
};

export async function upload(api: Api, announced: Upload): Promise<unknown> {
  const upload_id = await putUpload(api, announced);
  return api.ask(routes.completeUpload, { params: { upload_id }, body: { workspace_id: announced.workspace_id } });
}

export async function putUpload(api: Api, { bytes, encoding, binding, ...announced }: Upload): Promise<string> {
  const ticket = v.parse(
    UploadTicket,
    await api.ask(routes.createUpload, {
      body: {
        ...announced,
        ...binding,
        content_length: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        ...(encoding && { content_encoding: encoding }),
      },
    }),
  );
  await put(ticket, bytes);
  return ticket.upload_id;
}

async function put({ method, url, headers }: UploadTicket, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const { origin } = new URL(url);
  const response = await fetch(url, { method, headers, body }).catch((error: unknown) => {
    throw new Unreachable(origin, error);
  });
  if (response.ok) return;
  throw new CommandError(exitCodes.unavailable, `${origin} does not take the upload: it answers ${response.status}.`, [
    'Run the command again. What was already sent is not sent twice.',
  ]);
}
