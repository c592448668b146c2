import type * as v from 'valibot';
import { CreatedToken } from '../access.ts';
import { AccessDiagnosisBundle } from '../access-diagnosis.ts';
import { AccessRequestView, AttentionItem } from '../access-requests.ts';
import { AgentArtifact, ArtifactDiff } from '../agent-artifacts.ts';
import { AgentCheckResponse, AgentCheckResult } from '../agent-checks.ts';
import { AgentContextResponse } from '../agent-context.ts';
import { MemoryCandidate, MemoryPage } from '../agent-memory.ts';
import { AppConfig } from '../codehost-apps.ts';
import { CheckSettings } from '../codehost-checks.ts';
import { Installation } from '../codehost-installations.ts';
import { CollectionBatch, CollectionEvent, CollectionReceipt, CompatibleBody } from '../collection.ts';
import { CollectionProjectItem } from '../collection-projects.ts';
import { DeliveryPage, LineageDelivery } from '../deliveries.ts';
import { LineageDiff } from '../diff.ts';
import { EdgeExplanation, ExplainedEvidence } from '../explain.ts';
import { Gap, GapDetails } from '../gaps.ts';
import { Coverage, ImpactAnswer } from '../impact.ts';
import {
  CatalogReceipt,
  DatahubAcquisition,
  DbtAcquisition,
  LineageDeliveryReceipt,
  ProjectReceipt,
  SqlmeshAcquisition,
} from '../lineage.ts';
import { FusionWeights, LineagePolicy, PolicyFilters } from '../policy.ts';
import { ProviderInstance } from '../providers.ts';
import { LineageResolution, RelationDetail, RelationPage } from '../relations.ts';
import { WebhookAttempt, WebhookDelivery, WebhookResponse, WebhookSecretResponse } from '../webhooks.ts';

/** The schemas that the API descriptions name: generated clients call their types so. */
export const namedSchemas: Readonly<Record<string, v.GenericSchema>> = {
  AccessDiagnosisBundle,
  AccessRequestView,
  AgentArtifact,
  AgentCheckResponse,
  AgentCheckResult,
  AgentContextResponse,
  AppConfig,
  AttentionItem,
  CatalogReceipt,
  CheckSettings,
  CollectionBatch,
  CollectionEvent,
  CollectionProjectItem,
  CollectionReceipt,
  CompatibleBody,
  Coverage,
  CreatedToken,
  DatahubAcquisition,
  DbtAcquisition,
  DeliveryPage,
  EdgeExplanation,
  ExplainedEvidence,
  FusionWeights,
  Gap,
  GapDetails,
  ImpactAnswer,
  Installation,
  LineageDelivery,
  LineageDeliveryReceipt,
  LineageDiff,
  LineagePolicy,
  LineageResolution,
  MemoryCandidate,
  MemoryPage,
  PolicyFilters,
  ProjectReceipt,
  ProviderInstance,
  RelationDetail,
  RelationPage,
  SqlmeshAcquisition,
  WebhookAttempt,
  WebhookDelivery,
  WebhookResponse,
  WebhookSecretResponse,
  // After `LineageDiff`, whose parts it shows.
  ArtifactDiff,
};
