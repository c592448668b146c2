import { randomBytes } from 'node:crypto';
import { accessReader } from '../../adapters/dynamodb/access-reader.ts';
import { artifactStore } from '../../adapters/dynamodb/artifacts.ts';
import { checkStore } from '../../adapters/dynamodb/checks.ts';
import { connectorSummaries } from '../../adapters/dynamodb/connector-summaries.ts';
import { deliveryStore } from '../../adapters/dynamodb/deliveries.ts';
import { gapStore } from '../../adapters/dynamodb/gaps.ts';
import { nameIndex } from '../../adapters/dynamodb/name-index.ts';
import { providerStore } from '../../adapters/dynamodb/providers.ts';
import { registry } from '../../adapters/dynamodb/registry.ts';
import { directoryReader } from '../../adapters/dynamodb/relation-directory.ts';
import { graphReaders } from '../../adapters/graph-readers.ts';
import { payloadReader } from '../../adapters/payloads.ts';
import { artifactContents } from '../../adapters/s3/artifact-contents.ts';
import { loadSqlParser } from '../../adapters/sql-parser.ts';
import { announcingChecks } from '../../domain/notifications/announce.ts';
import { rereadBytes } from '../../domain/past/open-past.ts';
import { systemClock } from '../../domain/time/clock.ts';
import { announcingWritten, evaluations, rawBucket, settings } from './stores.ts';
import { table } from './tables.ts';

/** What evaluations of checks look at. */
const evaluationPorts = () => ({
  ...graphReaders(table(), rawBucket()),
  ...settings(table()),
  directory: directoryReader(table()),
  names: nameIndex(table()),
  deliveries: deliveryStore(table()),
  payloads: payloadReader(table(), rawBucket()),
  sqlParser: loadSqlParser,
  rereadBytes,
  providers: providerStore(table()),
  gaps: gapStore(table()),
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
  clock: systemClock,
});

export const checkPorts = evaluationPorts;
