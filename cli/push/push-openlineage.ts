import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import type { LineageDelivery } from '../../shared/contract/deliveries.ts';
import { limits } from '../../shared/contract/limits.ts';
import { LineageDeliveryReceipt } from '../../shared/contract/lineage.ts';
import { unownedNamespace } from '../../shared/contract/unresolved-reasons.ts';
import { claimCommand } from '../../shared/domain/identity/claim-command.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import type { Outcome } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal/printable.ts';
import { counted } from '../terminal/table.ts';
import { describeDelivery } from './describe-delivery.ts';
import { batchesOf, eventsOf } from './openlineage-files.ts';
import { adviceOn, exitCodeOf } from './push-document.ts';
import { upload } from './upload.ts';
import { settledDelivery } from './wait-for-delivery.ts';

export type OpenLineageOptions = { readonly wait: boolean; readonly key?: string; readonly providerKey?: string };

/** Sends the events of all files in batches, in their order, and waits for what becomes of each batch. */
export async function pushOpenLineage(
  session: Session,
  files: readonly string[],
  options: OpenLineageOptions,
): Promise<Outcome> {
  const workspace = await session.workspace();
  const events = files.flatMap((file) => eventsOf(session.terminal, file));
  const batches = batchesOf(events);
  const receipts: LineageDeliveryReceipt[] = [];
  for (const [index, batch] of batches.entries()) {
    session.progress.say(`sending batch ${index + 1} of ${batches.length}`);
    receipts.push(v.parse(LineageDeliveryReceipt, await send(session, batch, numbered(options, index))));
  }
  const items = events.length;
  const quarantinedAtOnce = receipts.reduce((sum, { invalid_item_count }) => sum + invalid_item_count, 0);
  if (!options.wait)
    return {
      json: { deliveries: receipts, items, quarantined: quarantinedAtOnce },
      text: () => `${counted(items, 'event')} accepted in ${counted(receipts.length, 'delivery', 'deliveries')}.`,
      exitCode: exitCodes.done,
    };
  const deliveries: LineageDelivery[] = [];
  for (const { delivery_id } of receipts) deliveries.push(await settledDelivery(session, delivery_id));
  const quarantined = deliveries.reduce((sum, { invalid_item_count }) => sum + invalid_item_count, 0);
  return {
    json: { deliveries, items, quarantined },
    text: () => deliveries.flatMap(describeDelivery).join('\n'),
    warnings: [...deliveries.flatMap(adviceOn), ...adviceOnUnowned(workspace.name, deliveries)],
    exitCode: deliveries.every(cameToNothing) ? worstOf(exitCodeOf(deliveries)) : exitCodeOf(deliveries),
  };
}

/** Nothing that a connector could be asked about: every event quarantined or ignored, or only unowned namespaces. */
function cameToNothing({ item_count, invalid_item_count, ignored, only_unowned }: LineageDelivery): boolean {
  const withoutEffect = ignored.reduce((sum, { count }) => sum + count, invalid_item_count);
  return only_unowned || withoutEffect >= item_count;
}

const worstOf = (code: ExitCode): ExitCode => (code === exitCodes.done ? exitCodes.wanting : code);

/** Names the namespaces that no connector owns, and the command that claims them. */
function adviceOnUnowned(workspace: string, deliveries: readonly LineageDelivery[]): string[] {
  const unowned = deliveries.flatMap(({ unresolved }) =>
    unresolved.filter(({ reason }) => reason === unownedNamespace).flatMap(({ assets }) => assets),
  );
  const namespaces = [...new Set(unowned)];
  if (namespaces.length === 0) return [];
  return [
    `No connector owns ${namespaces.map(printable).join(', ')}: no relation in ${namespaces.length === 1 ? 'it' : 'them'} is part of a connector's lineage.`,
    `To claim, and then push again: ${printable(claimCommand(workspace, namespaces))}`,
  ];
}

/** Each batch of a key that was given has a key of its own; without one, equal content is recognised. */
const numbered = ({ key, providerKey }: OpenLineageOptions, index: number) => ({
  key: key === undefined ? undefined : `${key}:${index + 1}`,
  providerKey,
});

async function send(
  session: Session,
  batch: readonly string[],
  { key, providerKey }: { readonly key: string | undefined; readonly providerKey: string | undefined },
): Promise<unknown> {
  const [api, workspace, connector] = [await session.api(), await session.workspace(), await session.namedConnector()];
  const binding = { connector_id: connector?.id, provider_key: providerKey };
  const bytes = Buffer.from(`[${batch.join(',')}]`);
  const kind = 'openlineage_batch';
  if (bytes.length > limits.inlineBytes)
    return upload(api, { workspace_id: workspace.id, kind, idempotency_key: key, bytes, encoding: null, binding });
  return api.ask(routes.postOpenLineageBatch, {
    query: { workspace_id: workspace.id, ...binding },
    bytes,
    headers: { ...(key !== undefined && { 'idempotency-key': key }) },
  });
}
