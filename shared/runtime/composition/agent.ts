import { randomBytes } from 'node:crypto';
import { deliveryStore } from '../../adapters/dynamodb/deliveries/deliveries.ts';
import { providerStore } from '../../adapters/dynamodb/deliveries/providers.ts';
import { nameIndex } from '../../adapters/dynamodb/names/name-indexes.ts';
import { directoryReader } from '../../adapters/dynamodb/names/relation-directory.ts';
import { artifactStore } from '../../adapters/dynamodb/registry/artifacts.ts';
import { checkStore } from '../../adapters/dynamodb/registry/checks.ts';
import { connectorSummaries } from '../../adapters/dynamodb/registry/connector-summaries.ts';
import { registry } from '../../adapters/dynamodb/registry/registry.ts';
import { accessReader } from '../../adapters/dynamodb/registry/registry-readers.ts';
import { metering } from '../../adapters/dynamodb/requests/metered.ts';
import { graphReaders } from '../../adapters/graph-stores.ts';
import { payloadReader } from '../../adapters/payloads.ts';
import { artifactContents } from '../../adapters/s3/artifact-contents.ts';
import { loadSqlParser } from '../../adapters/sql-parser.ts';
import { systemClock } from '../../domain/base/time/timestamp.ts';
import { rereadBytes } from '../../domain/lineage/past/past-details.ts';
import { announcingChecks } from '../../domain/notifications/happenings.ts';
import { announcingWritten, evaluations, rawBucket, settings, table } from './stores.ts';

const evaluationPorts = () => ({
  ...graphReaders(table(), rawBucket()),
  ...settings(),
  directory: directoryReader(table()),
  names: nameIndex(table()),
  deliveries: deliveryStore(table()),
  payloads: payloadReader(table(), rawBucket()),
  sqlParser: loadSqlParser,
  rereadBytes,
  providers: providerStore(table()),
  checks: announcingChecks(checkStore(table()), announcingWritten()),
  clock: systemClock,
  randomBytes,
});

export const agentPorts = () => ({
  ...evaluationPorts(),
  queue: evaluations(),
  artifacts: artifactStore(table()),
  summaries: connectorSummaries(table()),
  membership: accessReader(table()).membership,
  contents: artifactContents(rawBucket()),
  registry: registry(table()),
  metering,
});

export const checkPorts = evaluationPorts;
