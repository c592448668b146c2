import type { Connector } from '../../identity/connector.ts';
import { once } from '../../once.ts';
import { mayAdmit } from '../../policy/disposition.ts';
import { defaultPolicy } from '../../policy/policy.ts';
import { intakeRefusal, type ProviderRecord, statusOf } from '../../providers/provider.ts';
import { findConnector } from '../find-connector.ts';
import type { AccessQuestion } from './access-question.ts';
import type { Finding } from './finding.ts';
import type { DiagnosisPorts } from './ports.ts';

export type ConnectorFindings = Readonly<Record<'connector' | 'provider' | 'policy', () => Promise<Finding>>>;

/** A workspace may have a provider a job: so many of the connector's are looked at. */
const maxProviders = 200;

/** What stands between an admitted caller and the lineage of a connector; nothing is read before it is asked. */
export function connectorFindings(ports: DiagnosisPorts, question: AccessQuestion): ConnectorFindings {
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
    const detail = 'The workspace has no connector of this id.';
    return { status: 'broken', detail, code: 'not_found', remedy: 'Name a connector of the workspace.' };
  }
  const { id, name, kind } = connector;
  return { status: 'ok', detail: 'The workspace has the connector.', evidence: { id, name, kind } };
}

async function providersOf({ providers }: DiagnosisPorts, connector: Connector | null): Promise<ProviderRecord[]> {
  const found: ProviderRecord[] = [];
  if (connector === null) return found;
  for await (const record of providers.list(connector.workspace_id, null)) {
    if (record.provider.connector_id === connector.id) found.push(record);
    if (found.length === maxProviders) break;
  }
  return found;
}

/** A provider that was stopped takes nothing in; what it delivered before is still read. */
function providerFinding(providers: readonly ProviderRecord[], isWriting: boolean): Finding {
  const evidence = {
    providers: providers.map((record) => ({
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
      detail: 'No provider of the connector takes anything in.',
      evidence,
      code: first,
      remedy,
    };
  }
  return { status: 'ok', detail: providerDetail(providers.length, refusals.length, isWriting), evidence };
}

function providerDetail(count: number, stopped: number, isWriting: boolean): string {
  if (count === 0) return 'Nothing has been delivered to the connector yet.';
  if (stopped === 0) return 'Every provider of the connector takes deliveries in.';
  return isWriting
    ? `${stopped} of ${count} providers of the connector take nothing in.`
    : `${stopped} of ${count} providers of the connector take nothing in: answers may be out of date.`;
}

/** Suppressed evidence is kept and answered as stale: a policy stands in the way only where nothing is left to count. */
async function policyFinding(
  ports: DiagnosisPorts,
  connector: Connector | null,
  providers: readonly ProviderRecord[],
): Promise<Finding> {
  if (connector === null) return { status: 'unknown', detail: 'There is no connector to have a policy.' };
  const policies = await ports.policiesOf(connector.workspace_id, [connector.id]);
  const { revision, filters } = policies.get(connector.id) ?? defaultPolicy;
  const suppressed = providers.filter(({ provider }) => !mayAdmit(filters, provider.provider_type));
  const evidence = { revision, suppressed_providers: suppressed.map(({ provider }) => provider.id) };
  if (suppressed.length > 0 && suppressed.length === providers.length) {
    const detail = 'The policy lets no provider of the connector count: everything is answered as stale.';
    const remedy = 'Have an administrator change the provider rules of the lineage policy.';
    return { status: 'broken', detail, evidence, code: 'policy:provider_rule', remedy };
  }
  const detail = revision === 0 ? 'All evidence counts.' : 'Evidence that the policy suppresses is answered as stale.';
  return { status: 'ok', detail, evidence };
}
