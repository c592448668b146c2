/** What the audit log of a workspace has of a route. */
type Audited = {
  readonly actions: readonly string[];
  /** `change`: the entry and the change are one commit. `response`: it is written after the act and before the answer. */
  readonly with: 'change' | 'response';
  /** The field of the body that the entry has beside the ids of the path. */
  readonly field?: string;
};

const withChange = (...actions: readonly string[]): Audited => ({ actions, with: 'change' });
const withResponse = (action: string, field?: string): Audited => ({
  actions: [action],
  with: 'response',
  ...(field && { field }),
});
/** The batch, the delivery or the upload is itself the record of who sent what. */
const ingestion = null;
/** It answers a question, or stores only what anybody may ask again. */
const question = null;

/** Every route that changes something, and every read of raw payloads: C-AUDIT-1. */
export const auditedActs: Readonly<Record<string, Audited | null>> = {
  collectBatch: ingestion,
  collectCompatible: ingestion,
  captureEvents: ingestion,
  collectSegment: ingestion,
  postOpenLineageEvent: ingestion,
  postOpenLineageBatch: ingestion,
  postDatahubExport: ingestion,
  postSqlmeshProject: ingestion,
  postDbtManifest: ingestion,
  createUpload: ingestion,
  completeUpload: ingestion,
  postManifest: ingestion,
  receiveWebhook: ingestion,
  diffProject: question,
  previewPolicy: question,
  diagnoseAccess: question,
  validateAppConfig: question,
  registerClient: question,
  postMcp: question,
  getDeliveryPayload: withResponse('delivery.payload'),
  retryDelivery: withResponse('delivery.retry'),
  releaseDelivery: withResponse('delivery.release'),
  patchProvider: withResponse('provider.update', 'status'),
  patchGap: withResponse('gap.update', 'status'),
  putPolicy: withResponse('policy.put'),
  registerProviderKey: withChange('provider_key.register'),
  removeProviderKey: withChange('provider_key.remove'),
  forgetScope: withChange('scope.forget'),
  createCollectionProject: withChange('collection_project.create'),
  updateCollectionProject: withChange('collection_project.lineage', 'collection_project.tracking_plan'),
  addCollectionOrigin: withChange('collection_project.add_origin'),
  removeCollectionOrigin: withChange('collection_project.remove_origin'),
  createProjectKey: withChange('project_key.create'),
  revokeProjectKey: withChange('project_key.revoke'),
  linkProject: withChange('linked_project.link'),
  createAccessRequest: withChange('access.request'),
  approveAccessRequest: withChange('access.approve'),
  denyAccessRequest: withChange('access.deny'),
  createToken: withChange('token.create'),
  revokeToken: withChange('token.revoke'),
  authorizeAgent: withChange('agent.authorize'),
  requestAgent: withChange('access.request', 'agent.authorize'),
  exchangeAgentCode: withChange('token.create'),
  exchangeOAuthCode: withChange('token.create'),
  createCheck: withChange('check.create'),
  patchCheck: withChange('check.update'),
  deleteCheck: withChange('check.delete'),
  acceptCheck: withChange('check.accept'),
  runCheck: withResponse('check.run'),
  createArtifact: withChange('artifact.create'),
  patchArtifact: withChange('artifact.accepted', 'artifact.rejected', 'artifact.superseded'),
  generateCandidates: withResponse('memory.generate'),
  approveCandidate: withChange('memory.approve'),
  rejectCandidate: withChange('memory.rejected'),
  dismissCandidate: withChange('memory.dismissed'),
  supersedeMemory: withChange('memory.supersede'),
  putAppConfig: withChange('codehost_app.put'),
  deleteAppConfig: withChange('codehost_app.delete'),
  deleteNamedAppConfig: withChange('codehost_app.delete'),
  addInstallation: withChange('codehost_installation.put'),
  startInstallation: withResponse('codehost_installation.start'),
  finishInstallation: withChange('codehost_installation.put'),
  deleteInstallation: withChange('codehost_installation.delete'),
  deleteNamedInstallation: withChange('codehost_installation.delete'),
  putCheckSettings: withChange('codehost_checks.put'),
  createWebhook: withChange('webhook.create'),
  patchWebhook: withChange('webhook.update', 'webhook.rotate_secret'),
  deleteWebhook: withChange('webhook.delete'),
  testWebhook: withResponse('webhook.test'),
  retryWebhookDelivery: withResponse('webhook.retry'),
};

/** The actions of refusals: C-AUDIT-2 and C-AUDIT-3. */
export const refusedActions = { administration: 'access.refused', exchange: 'agent.exchange_refused' } as const;
