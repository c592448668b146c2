import { ChartColumn, Database, Eye, Layers3, LayoutDashboard, Table2 } from 'lucide-react';
import { nameOf, schemaOf } from '../lineage/groups.ts';

type Layer = 'sources' | 'staging' | 'intermediate' | 'marts' | 'reporting' | 'exposures';

const icons: Readonly<Record<Layer, typeof Eye>> = {
  sources: Database,
  staging: Eye,
  intermediate: Layers3,
  marts: Table2,
  reporting: ChartColumn,
  exposures: LayoutDashboard,
};

/** By schema, the first that fits. */
const patterns: readonly (readonly [RegExp, Layer])[] = [
  [/^(raw|source)/i, 'sources'],
  [/^(stg|staging)/i, 'staging'],
  [/^int(ermediate)?(_|$)/i, 'intermediate'],
  [/^(rpt|report)/i, 'reporting'],
];

/** The layer of a warehouse that a relation belongs to, as far as its name tells. */
export function layerOf(relation: string): Layer {
  if (relation.startsWith('exposure.')) return 'exposures';
  const schema = nameOf(schemaOf(relation)) || schemaOf(relation);
  return patterns.find(([pattern]) => pattern.test(schema))?.[1] ?? 'marts';
}

export function LayerIcon({ layer, size = 15 }: { readonly layer: Layer; readonly size?: number }) {
  const Icon = icons[layer];
  return (
    <span className="layer-icon" data-layer={layer} aria-hidden="true">
      <Icon size={size} strokeWidth={2} />
    </span>
  );
}

/** A relation's name, whose last part stands out. */
export const Ref = ({ of }: { readonly of: string }) => (
  <span className="relation-ref">
    <span>{of.slice(0, -nameOf(of).length)}</span>
    {/* An inline block would put a space into the accessible name. */}
    <wbr />
    <b>{nameOf(of)}</b>
  </span>
);
