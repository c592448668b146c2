import type { gapRoutes } from '../../shared/contract/routes/gaps.ts';
import { listGaps, type ProviderFinder, requireProvider } from '../../shared/domain/operations/gaps/list-gaps.ts';
import type { GapStore } from '../../shared/domain/operations/gaps/ports.ts';
import { setGapStatus } from '../../shared/domain/operations/gaps/set-gap-status.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type GapPorts = { readonly gaps: GapStore; readonly providers: ProviderFinder };

/** Serves the routes of coverage gaps. */
export const gapImplementations = (ports: GapPorts): Implementations<typeof gapRoutes> => ({
  listGaps: async ({ workspace, params, query: { status, gap_type, limit, cursor } }) => {
    const provider = await requireProvider(ports, workspace, params.provider_instance_id);
    const page = { status: status ?? null, gapType: gap_type ?? null, limit, cursor: cursor ?? null };
    return { status: 200, body: await listGaps(ports, workspace, provider, page) };
  },
  patchGap: async ({ workspace, params, body: { status } }) => {
    const provider = await requireProvider(ports, workspace, params.provider_instance_id);
    return { status: 200, body: await setGapStatus(ports, { workspace, provider, gapId: params.gap_id }, status) };
  },
});
