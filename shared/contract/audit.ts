/** What the audit log of a workspace has of an act. */
type AuditedAct = {
  readonly action: string;
  /** The field of the body that the entry has beside the ids of the path. */
  readonly field?: string;
};

/** The acts whose entry is written after the act and before the response. All other acts commit it with their change: C-AUDIT-1. */
export const auditedWithResponse: Readonly<Record<string, AuditedAct>> = {
  getDeliveryPayload: { action: 'delivery.payload' },
  retryDelivery: { action: 'delivery.retry' },
  releaseDelivery: { action: 'delivery.release' },
  patchProvider: { action: 'provider.update', field: 'status' },
  patchGap: { action: 'gap.update', field: 'status' },
  putPolicy: { action: 'policy.put' },
  runCheck: { action: 'check.run' },
  generateCandidates: { action: 'memory.generate' },
  startInstallation: { action: 'codehost_installation.start' },
  testWebhook: { action: 'webhook.test' },
  retryWebhookDelivery: { action: 'webhook.retry' },
};

/** The actions of refusals: C-AUDIT-2 and C-AUDIT-3. */
export const refusedActions = { administration: 'access.refused', exchange: 'agent.exchange_refused' } as const;
