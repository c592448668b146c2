import type { GapDetails } from '../../../contract/gaps.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { sortedBy } from '../../base/collections.ts';
import type { NamesReader } from '../generations/ports.ts';
import { claimCommand } from '../names/claim-command.ts';
import { namesRelations } from '../names/dataset-name.ts';
import { isOwned } from '../names/resolve-dataset.ts';

export type UsedNamespace = { readonly namespace: string; readonly providers: ReadonlySet<string> };

export type UnownedPorts = {
  readonly namesOf: NamesReader;
  readonly usedNames: {
    /** At most so many of the namespaces that deliveries used. */
    readonly namespaces: (workspace: WorkspaceId, limit: number) => Promise<readonly UsedNamespace[]>;
    /** How many datasets of a namespace had no connector when they were named, up to a limit. */
    readonly datasets: (workspace: WorkspaceId, namespace: string, limit: number) => Promise<number>;
  };
};

const namespacesRead = 1_000;
const namespacesNamed = 20;
const datasetsCounted = 10_000;

type Unowned = { readonly namespace: string; readonly datasets: number; readonly providers: ReadonlySet<string> };

/** The namespaces of relations that no connector owns: C-IDENTITY-6. Nobody owns paths and topics. */
export async function unownedNamespaces(
  { namesOf, usedNames }: UnownedPorts,
  workspace: WorkspaceId,
): Promise<readonly Unowned[]> {
  const used = (await usedNames.namespaces(workspace, namespacesRead)).filter((one) => namesRelations(one.namespace));
  if (used.length === 0) return [];
  const { connectors } = await namesOf(workspace);
  const unowned = used.filter(({ namespace }) => !isOwned(connectors, namespace)).slice(0, namespacesNamed);
  const counted = await Promise.all(
    unowned.map(async (one) => ({
      ...one,
      datasets: await usedNames.datasets(workspace, one.namespace, datasetsCounted),
    })),
  );
  return sortedBy(
    counted.filter(({ datasets }) => datasets > 0),
    ({ datasets }) => -datasets,
    ({ namespace }) => namespace,
  );
}

/** What a feed's gap says of those that it used; null where there are none. */
export function unownedDetails(
  unowned: readonly Unowned[],
  { workspace_id, id }: { readonly workspace_id: string; readonly id: string },
): Required<Pick<GapDetails, 'namespaces' | 'command'>> | null {
  const own = unowned.filter(({ providers }) => providers.has(id));
  if (own.length === 0) return null;
  return {
    namespaces: own.map(({ namespace, datasets }) => ({ namespace, datasets })),
    command: claimCommand(
      workspace_id,
      own.map(({ namespace }) => namespace),
    ),
  };
}
