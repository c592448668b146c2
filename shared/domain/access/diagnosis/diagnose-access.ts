import type { AccessChainStep, AccessDiagnosisBundle, AccessRootCause } from '../../../contract/access-diagnosis.ts';
import { type AdmissionRequest, admissionSteps } from '../admission.ts';
import type { AccessQuestion } from './access-question.ts';
import { admissionFinding } from './admission-findings.ts';
import { type ConnectorFindings, connectorFindings } from './connector-findings.ts';
import type { Finding } from './finding.ts';
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
    // Roles are given to users alone: the service has no groups.
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

const afterBroken: Finding = { status: 'skipped', detail: 'An earlier link is broken.' };

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
