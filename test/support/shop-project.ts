import shop from '../fixtures/dbt/shop-manifest.json' with { type: 'json' };

type Node = {
  alias: string;
  schema: string;
  relation_name: string | null;
  compiled_code?: string;
  depends_on: { nodes?: string[] };
};
type Manifest = typeof shop & { nodes: Record<string, Node> };

/** The shop's manifest, changed. */
export function shopManifest(
  change: (nodes: Record<string, Node>, manifest: Manifest) => void = () => undefined,
): Manifest {
  const manifest = structuredClone(shop) as unknown as Manifest;
  change(manifest.nodes, manifest);
  return manifest;
}

/** The shop's manifest with owners, as dbt writes them: in metadata of both places, and of a group. */
export const ownedShopManifest = (): Manifest =>
  shopManifest((nodes, manifest) => {
    Object.assign(nodes['model.shop.customers'] ?? {}, { config: { meta: { owner: 'sales@shop.test' } } });
    Object.assign(nodes['model.shop.scores'] ?? {}, { group: 'science', meta: {} });
    Object.assign(manifest.exposures['exposure.shop.weekly'], { owner: { name: 'Data', email: 'data@shop.test' } });
    Object.assign(manifest, {
      groups: { 'group.shop.science': { name: 'science', owner: { name: 'Science', email: null } } },
    });
  });

/** Replaces text in a model's SQL. */
export function inSql(nodes: Record<string, Node>, model: string, from: string, to: string): void {
  const node = nodes[`model.shop.${model}`];
  if (!node?.compiled_code?.includes(from)) throw new Error(`${model} has no such text`);
  node.compiled_code = node.compiled_code.replace(from, to);
}
