import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { backlogReader } from '../../adapters/dynamodb/deliveries/backlog-reader.ts';
import { deliveryReader, deliveryStore } from '../../adapters/dynamodb/deliveries/deliveries.ts';
import { gapStore } from '../../adapters/dynamodb/deliveries/gaps.ts';
import { graphHistory } from '../../adapters/dynamodb/deliveries/graph-changes.ts';
import { heldDeliveries } from '../../adapters/dynamodb/deliveries/listed-deliveries.ts';
import { providerStore } from '../../adapters/dynamodb/deliveries/providers.ts';
import { eventCountReader } from '../../adapters/dynamodb/events/event-ledger.ts';
import { shapeReader } from '../../adapters/dynamodb/events/event-shapes.ts';
import { healthKey, healthObject } from '../../adapters/dynamodb/keys/registry-keys.ts';
import { columnIndex, nameIndex } from '../../adapters/dynamodb/names/name-indexes.ts';
import { directoryReader } from '../../adapters/dynamodb/names/relation-directory.ts';
import { checkStore } from '../../adapters/dynamodb/registry/checks.ts';
import { policyStore } from '../../adapters/dynamodb/registry/policies.ts';
import { registry } from '../../adapters/dynamodb/registry/registry.ts';
import { accessReader, named } from '../../adapters/dynamodb/registry/registry-readers.ts';
import { signingSecret } from '../../adapters/dynamodb/registry/webhooks.ts';
import { batchGet } from '../../adapters/dynamodb/requests/items.ts';
import { metering } from '../../adapters/dynamodb/requests/metered.ts';
import { graphReaders, scopeForgetter } from '../../adapters/graph-stores.ts';
import { payloadReader } from '../../adapters/payloads.ts';
import { getObject } from '../../adapters/s3/bucket.ts';
import { comparisonStore } from '../../adapters/s3/comparisons.ts';
import { nameListReader } from '../../adapters/s3/name-lists.ts';
import { loadSqlParser } from '../../adapters/sql-parser.ts';
import { limits } from '../../contract/limits.ts';
import { Fault } from '../../contract/problems.ts';
import { systemClock } from '../../domain/base/time/timestamp.ts';
import { rereadBytes } from '../../domain/lineage/past/past-details.ts';
import type { StoreCheck } from '../../domain/operations/health.ts';
import { connectorFinder } from '../../domain/workspaces/access/connectors.ts';
import { environment } from '../environment.ts';
import { onRecountSendFailed, onSendFailed } from '../report-failures.ts';
import { announcing, evaluations, eventTable, projections, rawBucket, settings, table } from './stores.ts';

/** Of a document that is read again within a question about some edges: it takes a second to parse three times as much. */
const quicklyRead = 1024 * 1024;

export function queriesPorts() {
  const read = table();
  return {
    ...comparingPorts(),
    names: nameIndex(read),
    columns: columnIndex(read),
    nameLists: { read: nameListReader(rawBucket()) },
    deliveries: deliveryStore(read),
    queue: projections(),
    connector: connectorFinder(named(read)),
    providers: providerStore(read),
    backlog: backlogReader(read),
    gaps: gapStore(read),
    history: graphHistory(read),
    rereadBytes: quicklyRead,
    onSendFailed,
  };
}

export const diffPorts = () => ({
  ...comparingPorts(),
  comparisons: comparisonStore(rawBucket()),
  announce: announcing(),
});

/** What comparisons read, for those who tell nobody. */
export function comparingPorts() {
  const read = table();
  return {
    ...graphReaders(read, rawBucket()),
    ...settings(),
    directory: directoryReader(read),
    deliveries: deliveryReader(read),
    payloads: payloadReader(table(), rawBucket()),
    sqlParser: loadSqlParser,
    rereadBytes,
    metering,
  };
}

export const exportPorts = () => ({
  ...graphReaders(table(), rawBucket()),
  ...settings(),
  deliveries: deliveryReader(table()),
  payloads: payloadReader(table(), rawBucket()),
  signingSecret: signingSecret(table()),
  metering,
});

export const policyPorts = () => ({
  policies: policyStore(table()),
  graphs: named(table()).graphs,
  queue: evaluations(),
  connector: connectorFinder(named(table())),
  onRecountSendFailed,
});

export const accessPorts = () => ({
  registry: registry(table()),
  clock: systemClock,
  randomBytes,
  membership: accessReader(table()).membership,
  providers: providerStore(table()),
  connector: connectorFinder(named(table())),
  policiesOf: settings().policiesOf,
  deliveries: heldDeliveries(table()),
  checks: checkStore(table()),
  eventCounts: eventCountReader(eventTable()),
  shapes: { read: shapeReader(eventTable()) },
  queue: evaluations(),
});

export function scopePorts() {
  const forgetting = { ...scopeForgetter(table(), rawBucket()), clock: systemClock, randomBytes };
  return {
    ...forgetting,
    forgetting,
    namesOf: settings().namesOf,
    providers: providerStore(table()),
    connector: connectorFinder(named(table())),
  };
}

/** Reads of the stores cost, and anybody may ask for the health: it looks at them where the deployment wants it. */
export function systemPorts(): { readonly checks: readonly StoreCheck[] } {
  const [from, bucket] = [table(), rawBucket()];
  if (!environment('HEALTH_STORES')) return { checks: [] };
  const folder = environment('LOCAL_FOLDER');
  const isInTable = async () => (await batchGet(from, [healthKey])).length > 0;
  const isInBucket = async () => (await getObject(bucket, healthObject)) !== null;
  return {
    checks: [
      // Each store has a mark if the other has: one that was replaced by an empty one answers too.
      { name: 'table', read: async () => expectMark(await isInTable(), () => isInBucket()) },
      { name: 'objects', read: async () => expectMark(await isInBucket(), () => isInTable()) },
      ...(folder === undefined ? [] : [{ name: 'disk' as const, read: () => requireRoom(folder) }]),
    ],
  };
}

async function expectMark(isHere: boolean, isThere: () => Promise<boolean>): Promise<void> {
  if (!isHere && (await isThere().catch(() => false))) throw new Fault('store_lost', 'a store lost what it held');
}

/** Reads of a full disk succeed: only its free space tells. */
async function requireRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < limits.fullDiskBytes) throw new Fault('disk_full', 'the disk of the local service is full');
}
