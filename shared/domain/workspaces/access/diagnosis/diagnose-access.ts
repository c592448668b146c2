import type { AccessChainStep, AccessDiagnosisBundle, AccessRootCause } from '../../../../contract/access-diagnosis.ts';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import type { ProblemCode } from '../../../../contract/problems.ts';
import { once } from '../../../base/caching.ts';
import { collect } from '../../../base/concurrency.ts';
import type { Connector } from '../../../lineage/names/connector.ts';
import { type Disposition, defaultPolicy, mayAdmit } from '../../../lineage/policy/policy.ts';
import { intakeRefusal, type ProviderRecord, statusOf } from '../../../lineage/providers/provider.ts';
import { type AdmissionRequest, type AdmissionStep, admission, admissionSteps } from '../authenticate.ts';
import { findConnector } from '../connectors.ts';
import type { DiagnosisPorts } from './ports.ts';

/** Walks the links between a user and an action in their order; what comes after the first broken one is not looked at. */
export async function diagnoseAccess(ports: DiagnosisPorts, question: AccessQuestion): Promise<AccessDiagnosisBundle> {
  const { caller, membership, needed } = question.admission;
  const connector = connectorFindings(ports, question);
  const links: readonly Link[] = [
    ...admissionSteps.map((step): Link => [step, async () => admissionFinding(step, question)]),
    ...(['connector', 'provider', 'policy'] as const).map((step): Link => [step, () => connector[step]()]),
  ];
  const { chain, rootCause } = await walk(links);
  return {
    chain,
    connector: await connectorOf(connector, chain),
    effective_grants: grantsOf(question.admission),
    evidence: { scope: needed.scope, role: needed.role, evaluated_at: ports.clock.now().toISOString() },
    // Roles are given only to users: the service has no groups.
    matched_groups: [],
    root_cause: rootCause,
    subject: {
      user_id: caller.userId,
      role: membership.role,
      credential: question.presentsToken ? caller.kind : 'unknown',
      ...(caller.kind === 'pat' && { token_id: caller.tokenId }),
    },
  };
}

type StepName = (typeof admissionSteps)[number] | keyof ConnectorFindings;
type Link = readonly [StepName, () => Promise<Finding>];

const titles: Readonly<Record<StepName, string>> = {
  token: 'Token',
  workspace_pat_policy: 'Access token policy of the workspace',
  membership: 'Membership of the workspace',
  scope: 'Scope of the token',
  role: 'Role in the workspace',
  connector: 'Connector',
  provider: 'Providers of the connector',
  policy: 'Lineage policy of the connector',
};

async function walk(links: readonly Link[]) {
  const chain: AccessChainStep[] = [];
  let rootCause: AccessRootCause | null = null;
  for (const [step, find] of links) {
    const finding: Finding = rootCause === null ? await find() : afterBroken;
    const { status, detail, evidence = {} } = finding;
    chain.push({ step, status, title: titles[step], detail, evidence });
    if (finding.status === 'broken') rootCause = { step, code: finding.code, message: finding.remedy };
  }
  return { chain, rootCause };
}

const afterBroken: Finding = { status: 'skipped', detail: 'Skipped because an earlier check failed.' };

/** Only of a connector that was looked at, and so by one who may know of it. */
async function connectorOf(findings: ConnectorFindings, chain: readonly AccessChainStep[]) {
  const isKnown = chain.some(({ step, status }) => step === 'connector' && status === 'ok');
  return isKnown ? ((await findings.connector()).evidence ?? {}) : {};
}

function grantsOf({ caller, membership: { role } }: AdmissionRequest): Record<string, unknown>[] {
  const roleGrant = role === null ? [] : [{ kind: 'workspace_role', role }];
  const token = caller.kind === 'pat' ? [{ kind: 'token_scopes', scopes: caller.scopes }] : [];
  return [...roleGrant, ...token];
}

function admissionFinding(step: AdmissionStep, { admission: request, presentsToken }: AccessQuestion): Finding {
  const evidence = evidenceOf[step](request);
  if (!presentsToken && dependsOnToken(step, request)) return { status: 'unknown', detail: notSeen, evidence };
  const code = admission[step](request);
  if (code === null) return { status: 'ok', detail: passed[step], evidence };
  return {
    status: 'broken',
    detail: 'Requests fail at this check.',
    evidence,
    code,
    remedy: remedyOf(step, code, request),
  };
}

const notSeen = 'This depends on the user’s token, which is not known here.';

/** A session carries every scope and needs no token policy; of a token neither is known before it is seen. */
const dependsOnToken = (step: AdmissionStep, { membership }: AdmissionRequest): boolean =>
  step === 'token' || step === 'scope' || (step === 'workspace_pat_policy' && !membership.patsEnabled);

const passed: Readonly<Record<AdmissionStep, string>> = {
  token: 'The token is valid for the workspace.',
  workspace_pat_policy: 'The workspace accepts this kind of token.',
  membership: 'The user is a member of the workspace.',
  scope: 'The token carries the scope.',
  role: 'The role suffices.',
};

const evidenceOf: Readonly<Record<AdmissionStep, (request: AdmissionRequest) => Readonly<Record<string, unknown>>>> = {
  token: ({ caller }) => ({ kind: caller.kind, ...(caller.kind === 'pat' && { token_id: caller.tokenId }) }),
  workspace_pat_policy: ({ membership }) => ({ pats_enabled: membership.patsEnabled }),
  membership: ({ caller, membership }) => ({ user_id: caller.userId, role: membership.role }),
  scope: ({ caller, needed }) => ({
    needed: needed.scope,
    ...(caller.kind === 'pat' && { scopes: caller.scopes }),
  }),
  role: ({ membership, needed }) => ({ needed: needed.role, role: membership.role }),
};

function remedyOf(step: AdmissionStep, code: ProblemCode, { needed }: AdmissionRequest): string {
  switch (code) {
    case 'workspace_token_mismatch':
      return 'Use a token of this workspace, or a session.';
    case 'pats_disabled':
      return 'Use a session, or have the operator enable access tokens for the workspace.';
    case 'session_required':
      return 'Use a session instead of an access token.';
    case 'insufficient_scope':
      return `Use a token with the scope ${needed.scope}.`;
    default:
      return step === 'membership'
        ? 'Have an operator add the user to the workspace.'
        : `Ask an administrator of the workspace for the role ${needed.role} with an access request.`;
  }
}

type ConnectorFindings = Readonly<Record<'connector' | 'provider' | 'policy', () => Promise<Finding>>>;

const listedProviders = 200;

/** What stands between an admitted caller and the lineage of a connector; nothing is read before it is asked. */
function connectorFindings(ports: DiagnosisPorts, question: AccessQuestion): ConnectorFindings {
  const connector = once(() => findConnector(ports.registry, question.workspace, question.connectorId));
  const providers = once(async () => providersOf(ports, await connector()));
  return {
    connector: async () => connectorFinding(await connector()),
    provider: async () => providerFinding(await providers(), question.admission.needed.scope === 'write'),
    policy: async () => policyFinding(ports, await connector(), await providers()),
  };
}

function connectorFinding(connector: Connector | null): Finding {
  if (connector === null) {
    const detail = 'The workspace has no connector with this id.';
    return { status: 'broken', detail, code: 'not_found', remedy: 'Name a connector of the workspace.' };
  }
  const { id, name, kind } = connector;
  return { status: 'ok', detail: 'The workspace has the connector.', evidence: { id, name, kind } };
}

/** All of them: the verdict is on every feed. */
async function providersOf({ providers }: DiagnosisPorts, connector: Connector | null): Promise<ProviderRecord[]> {
  if (connector === null) return [];
  const all = await collect(providers.list(connector.workspace_id, null));
  return all.filter(({ provider }) => provider.connector_id === connector.id);
}

/** A provider that was stopped takes nothing in; what it delivered before is still read. */
function providerFinding(providers: readonly ProviderRecord[], isWriting: boolean): Finding {
  const evidence = {
    providers: providers.slice(0, listedProviders).map((record) => ({
      id: record.provider.id,
      provider_type: record.provider.provider_type,
      status: statusOf(record),
    })),
  };
  const refusals = providers.flatMap(({ provider }) => intakeRefusal(provider) ?? []);
  const [first] = refusals;
  if (isWriting && first !== undefined && refusals.length === providers.length) {
    const remedy = 'Have an administrator set a provider of the connector to active.';
    return {
      status: 'broken',
      detail: 'No provider of the connector accepts deliveries.',
      evidence,
      code: first,
      remedy,
    };
  }
  return { status: 'ok', detail: providerDetail(providers.length, refusals.length, isWriting), evidence };
}

function providerDetail(count: number, stopped: number, isWriting: boolean): string {
  if (count === 0) return 'Nothing has been delivered to the connector yet.';
  if (stopped === 0) return 'Every provider of the connector accepts deliveries.';
  return isWriting
    ? `${stopped} of ${count} providers of the connector take nothing in.`
    : `${stopped} of ${count} providers of the connector take nothing in: answers may be out of date.`;
}

/** Suppressed evidence is kept and answered as stale: a policy is in the way only where nothing is left to count. */
async function policyFinding(
  ports: DiagnosisPorts,
  connector: Connector | null,
  providers: readonly ProviderRecord[],
): Promise<Finding> {
  if (connector === null) return { status: 'unknown', detail: 'There is no connector, so there is no policy.' };
  const policies = await ports.policiesOf(connector.workspace_id, [connector.id]);
  const { revision, filters } = policies.get(connector.id) ?? defaultPolicy;
  const suppressed = providers.filter(({ provider }) => !mayAdmit(filters, provider.provider_type));
  const evidence = {
    revision,
    suppressed_providers: suppressed.slice(0, listedProviders).map(({ provider }) => provider.id),
  };
  if (suppressed.length > 0 && suppressed.length === providers.length) {
    const detail = 'The policy suppresses all providers of the connector, so all lineage is shown as stale.';
    const remedy = 'Have an administrator change the provider rules of the lineage policy.';
    return { status: 'broken', detail, evidence, code: 'policy:provider_rule', remedy };
  }
  const detail = revision === 0 ? 'All evidence counts.' : 'Evidence that the policy suppresses is shown as stale.';
  return { status: 'ok', detail, evidence };
}

type Seen = { readonly detail: string; readonly evidence?: Readonly<Record<string, unknown>> };

/** What was found of one link; `code` is what a request is refused with, `remedy` what would remedy it. */
type Finding =
  | (Seen & { readonly status: 'ok' | 'unknown' | 'skipped' })
  | (Seen & { readonly status: 'broken'; readonly code: ProblemCode | Disposition; readonly remedy: string });

/** Whether a caller may do something with the lineage of a connector, and why not. */
type AccessQuestion = {
  readonly workspace: WorkspaceId;
  readonly connectorId: string;
  readonly admission: AdmissionRequest;
  /** False where an administrator asks for somebody else: which token that user presents is not known. */
  readonly presentsToken: boolean;
};
