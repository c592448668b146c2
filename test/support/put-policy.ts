import { expect } from 'vitest';
import { policyImplementations } from '../../functions/policy/policy.ts';
import { type PolicyFilters, policyRoutes } from '../../shared/contract/policy.ts';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { policyPorts } from '../../shared/runtime/composition/queries.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from './access-world.ts';
import type { LineagePlace } from './lineage-world.ts';

/** Leaves the evidence of a provider type out, by the policy of the place's connector. */
export const excludeProvider = (place: LineagePlace, provider_type: string): Promise<void> =>
  putPolicy(place, { provider_rules: [{ action: 'exclude', provider_type }] });

/** Sets filters of the policy of the place's connector; the others are those that admit everything. */
export async function putPolicy(place: LineagePlace, filters: Partial<PolicyFilters>): Promise<void> {
  const put = responder(policyRoutes, policyImplementations(policyPorts()), httpPorts());
  const { status } = await put(
    request('PUT', '/v1/connectors/{connector_id}/lineage-policy', {
      token: place.tokens.admin,
      params: { connector_id: place.connector.id },
      body: { workspace_id: place.workspace, filters: { ...safeDefaults, ...filters } },
    }),
  );
  expect(status).toBe(200);
}
