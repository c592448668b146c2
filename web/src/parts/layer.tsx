import { ChartColumn, Database, Eye, Layers3, LayoutDashboard, Table2 } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import { type Layer, layerOf, nameOf } from '../../../shared/contract/layers.ts';
import { useWorkspace } from '../shell/world.ts';

const icons: Readonly<Record<Layer, typeof Eye>> = {
  sources: Database,
  staging: Eye,
  intermediate: Layers3,
  marts: Table2,
  reporting: ChartColumn,
  exposures: LayoutDashboard,
};

/** Tells the layer of a relation of a connector, or of any connector that has a rule for its schema. */
export type LayerReader = (relation: string, connector?: string | null) => Layer;

export function useLayerOf(): LayerReader {
  const connectors = useWorkspace()?.connectors;
  return useMemo(() => {
    const rules = new Map(connectors?.map(({ id, layers }) => [id, layers]));
    const all = [...rules.values()].flat();
    return (relation, connector) => layerOf(relation, (connector && rules.get(connector)) || all);
  }, [connectors]);
}

export function LayerIcon({ layer, size = 15 }: { readonly layer: Layer; readonly size?: number }) {
  const Icon = icons[layer];
  return (
    <span className="layer-icon" data-layer={layer} aria-hidden="true">
      <Icon size={size} strokeWidth={2} />
    </span>
  );
}

/** A name whose lines end between its words. */
export const Breakable = ({ name }: { readonly name: string }) => (
  <>
    {name.split(/(?<=[_./])/).map((word, index, { length }) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a word may come twice.
      <Fragment key={index}>
        {word}
        {index < length - 1 && <wbr />}
      </Fragment>
    ))}
  </>
);

type Named = { readonly relation: string; readonly column: string | null };

/** The name of a relation or of a column of it. */
export const fullName = ({ relation, column }: Named): string => (column === null ? relation : `${relation}.${column}`);

export const Ref = ({ of }: { readonly of: string }) => (
  <span className="relation-ref">
    <span>
      <bdi>{of.slice(0, -nameOf(of).length)}</bdi>
    </span>
    {/* An inline block would put a space into the accessible name. */}
    <wbr />
    <b>
      <Breakable name={nameOf(of)} />
    </b>
  </span>
);
