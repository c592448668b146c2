import * as v from 'valibot';
import { ApiFailure } from '../../shared/client/api-failure.ts';
import type { LineageDelivery } from '../../shared/contract/deliveries.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import type { Outcome } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal/printable.ts';
import { describeDelivery } from './describe-delivery.ts';
import { linkProject } from './link-project.ts';
import { type OutgoingDocument, sendDocument } from './send-document.ts';
import { settledDelivery } from './wait-for-delivery.ts';

type PushOptions = { readonly wait: boolean };

const Skipped = v.object({ accepted: v.literal(false), skipped: v.string() });
const Accepted = v.object({ delivery_id: v.string(), duplicate: v.boolean() });
type Accepted = v.InferOutput<typeof Accepted>;

/** Sends a document and waits for what becomes of it. */
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
  text: () => `Nothing is taken: ${printable(why.replaceAll('_', ' '))}.`,
  warnings: ['tributary providers lists the feeds; tributary providers resume ID lets one send again.'],
  exitCode: exitCodes.wanting,
});

function lines(receipt: Accepted, delivery: LineageDelivery | null): string[] {
  const known = receipt.duplicate ? ['The same was sent before: this is what became of it.'] : [];
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
  if (state === 'failed') return [`The service could not work it: tributary deliveries retry ${delivery_id}`];
  if (state === 'held')
    return [`It is held, because it would retract much: tributary deliveries release ${delivery_id}`];
  if (state === 'superseded') return ['A newer snapshot of the same scope was sent meanwhile, and holds.'];
  return [];
}
