import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as v from 'valibot';
import { ApiFailure, requestAnswer, Unreachable } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { LineageDelivery } from '../../shared/contract/deliveries.ts';
import { limits } from '../../shared/contract/limits.ts';
import { DuplicateOf } from '../../shared/contract/lineage.ts';
import type { UploadTicket } from '../../shared/contract/uploads.ts';
import type { DeclaredKind, DeliveryKind, Standing } from '../../shared/contract/vocabulary.ts';
import { CommandError, type ExitCode, exitCodes, notFound, type Outcome, UsageError } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal/terminal.ts';
import { describeDelivery, settledDelivery } from './describe-delivery.ts';

export type DocumentOptions = {
  readonly partial?: boolean;
  readonly key?: string;
  /** Takes the document although its platform is not the connector's; no part of its key. */
  readonly force?: boolean;
  readonly wait: boolean;
};

const Skipped = v.object({ accepted: v.literal(false), skipped: v.string() });
const Accepted = v.object({
  delivery_id: v.string(),
  duplicate: v.boolean(),
  duplicate_of: v.optional(DuplicateOf),
});
type Accepted = v.InferOutput<typeof Accepted>;

export async function pushDocument(
  session: Session,
  { kind, scope, fields, parts }: OutgoingDocument,
  { partial, key, force, wait }: DocumentOptions,
): Promise<Outcome> {
  const all = {
    connector_id: (await session.connector(scope)).id,
    completeness: partial ? 'partial' : 'complete',
    ...fields,
    workspace_id: (await session.workspace()).id,
    // Another key for each acquisition: only what sends this one again is its duplicate (C-INGEST-16).
    source_event_key: key ?? randomUUID(),
    force,
  };
  session.progress.say('sending');
  const json = await sendLinking(session, { kind, fields: all, parts });
  if (v.is(Skipped, json)) return skipped(json, json.skipped);
  const receipt = v.parse(Accepted, json);
  const delivery = wait ? await settledDelivery(session, receipt.delivery_id) : null;
  return {
    json: { receipt: json, delivery },
    text: () => lines(receipt, delivery).join('\n'),
    exitCode: stands(receipt) ? (delivery ? exitCodeOf([delivery]) : exitCodes.done) : exitCodes.wanting,
    warnings: [...(delivery ? adviceOn(delivery) : []), ...(stands(receipt) ? [] : [adviceOnRepeat])],
  };
}

/** A complete snapshot takes a project that is linked: it is linked where the caller may, and sent again. */
async function sendLinking(session: Session, document: SentDocument): Promise<unknown> {
  const { project_id } = document.fields;
  try {
    return await sendDocument(session, document);
  } catch (error) {
    const isUnlinked = error instanceof ApiFailure && error.status === 404 && project_id !== undefined;
    if (!isUnlinked) throw error;
    await linkProject(session, project_id);
    return sendDocument(session, document);
  }
}

const skipped = (json: unknown, why: string): Outcome => ({
  json: { receipt: json, delivery: null },
  text: () => `Nothing was accepted: ${printable(why.replaceAll('_', ' '))}.`,
  warnings: ['tributary providers lists the feeds; tributary providers resume ID lets one send again.'],
  exitCode: exitCodes.wanting,
});

/** Whether what was sent holds, unless its delivery says otherwise. */
const stands = ({ duplicate_of }: Accepted): boolean =>
  duplicate_of === undefined || duplicate_of.state === 'in_effect';

const adviceOnRepeat = 'Nothing was changed. To make this content the live one, push it without --key.';

const repeats: Readonly<Record<Standing, string>> = {
  in_effect: 'This key and content were already sent, and no later snapshot replaced them. Their result:',
  superseded: 'This key and content were already sent, and a later snapshot has replaced them. Their result then:',
  forgotten:
    'This key and content were already sent, and an admin has since made Tributary forget them. Their result then:',
};

function lines({ duplicate_of, ...receipt }: Accepted, delivery: LineageDelivery | null): string[] {
  const known = duplicate_of ? [repeats[duplicate_of.state]] : [];
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
  /** Whose earlier pushes tell the connector. */
  readonly scope: string;
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly parts: Readonly<Record<string, Buffer>>;
};
type SentDocument = Pick<OutgoingDocument, 'kind' | 'parts'> & {
  readonly fields: { readonly project_id?: string | undefined; readonly source_event_key: string };
};

const compressFrom = 32 * 1024;
export const zip = promisify(gzip);

const declaredRoutes = {
  dbt_manifest: routes.postDbtManifest,
  sqlmesh_project: routes.postSqlmeshProject,
  datahub_catalog: routes.postDatahubExport,
} as const satisfies Record<DeclaredKind, unknown>;

async function sendDocument(session: Session, { kind, fields, parts }: SentDocument): Promise<unknown> {
  const body = joinJson(fields, parts);
  if (body.length > limits.declared.bodyBytes)
    throw new UsageError(`The document has ${body.length} bytes. The maximum is ${limits.declared.bodyBytes}.`);
  const isCompressed = body.length > compressFrom;
  const bytes = new Uint8Array(isCompressed ? await zip(body) : body);
  const encoding = isCompressed ? 'gzip' : null;
  if (bytes.length > limits.inlineBytes)
    return upload(session, { kind, idempotency_key: fields.source_event_key, bytes, encoding });
  return session.ask(declaredRoutes[kind], { bytes, headers: { ...(encoding && { 'content-encoding': encoding }) } });
}

/** One JSON object of fields and of parts that are JSON already: they are not parsed and written anew. */
export function joinJson(fields: object, parts: OutgoingDocument['parts']): Buffer {
  const head = JSON.stringify(fields).slice(0, -1);
  const tail = Object.entries(parts).flatMap(([name, bytes]) => [Buffer.from(`,${JSON.stringify(name)}:`), bytes]);
  return Buffer.concat([Buffer.from(head), ...tail, Buffer.from('}')]);
}

async function linkProject(session: Session, project_id: string): Promise<void> {
  try {
    await session.ask(routes.linkProject, { body: { project_id } });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const [workspace, name] = [printable((await session.workspace()).name), printable(project_id)];
    throw notFound(`The project ${name} is not linked to the workspace, and you may not link it.`, [
      `An admin of the workspace can link it with this command, or with tributary admin linked-projects link ${workspace} ${name}`,
      'If the project is linked under another id, pass --project ID.',
    ]);
  }
}

type Upload = {
  readonly kind: DeliveryKind;
  readonly idempotency_key?: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: 'gzip' | null;
  readonly binding?: { readonly connector_id?: string | undefined; readonly provider_key?: string | undefined };
};

export async function upload(session: Session, document: Upload): Promise<unknown> {
  const upload_id = await putUpload(session, document);
  return session.ask(routes.completeUpload, { params: { upload_id } });
}

export async function putUpload(session: Session, { bytes, encoding, binding, ...document }: Upload): Promise<string> {
  const body = {
    ...document,
    ...binding,
    content_length: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...(encoding && { content_encoding: encoding }),
  };
  const ticket = await requestAnswer(session, routes.createUpload, { body });
  await put(ticket, bytes);
  return ticket.upload_id;
}

async function put({ method, url, headers }: UploadTicket, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const { origin } = new URL(url);
  const response = await fetch(url, { method, headers, body, redirect: 'manual' }).catch((error: unknown) => {
    throw new Unreachable(origin, error);
  });
  if (response.ok) return;
  throw new CommandError(exitCodes.unavailable, `${origin} does not take the upload: it answers ${response.status}.`, [
    'Run the command again.',
  ]);
}
