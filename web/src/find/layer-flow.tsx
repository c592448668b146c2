import './layer-flow.css';
import { Link } from '@tanstack/react-router';
import type { Overview } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { boxWidth, type FlowBox, flowHeight, flowOf } from './flow-layout.ts';

/** Relations by layer and schema; the width of a band is the number of edges. A box opens the relations of its schema. */
export function LayerFlow({ overview }: { readonly overview: Overview }) {
  const { columns, bands } = flowOf(overview);
  return (
    <div className="layer-flow card">
      <header>
        <h2>{texts.start.glance}</h2>
        <p className="dim">{texts.start.glanceHow}</p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <section className="layer-flow-frame" tabIndex={0} aria-label={texts.start.glance}>
        <div className="layer-flow-drawing" style={{ height: flowHeight + 26 }}>
          <svg viewBox={`0 0 1000 ${flowHeight}`} preserveAspectRatio="none" aria-hidden="true">
            {bands.map(({ key, layer, path }) => (
              <path key={key} data-layer={layer} d={path} />
            ))}
          </svg>
          {columns.map(({ layer, relations, left, boxes }) => (
            <div key={layer} data-layer={layer}>
              <span className="layer-flow-head" style={{ left: percent(left) }}>
                {texts.layers[layer]} <b>{relations.toLocaleString()}</b>
              </span>
              {boxes.map((box) => (
                <BoxLink key={box.name} box={box} left={left} />
              ))}
            </div>
          ))}
        </div>
      </section>
    </div>
  );
}

type BoxLinkProps = { readonly box: FlowBox; readonly left: number };

function BoxLink({ box: { name, schema, relations, top, height }, left }: BoxLinkProps) {
  const style = { top: top + 26, height, left: percent(left), width: percent(boxWidth) };
  const text = (
    <>
      <b>{name}</b> <span>{relations.toLocaleString()}</span>
    </>
  );
  if (schema === null)
    return (
      <span className="layer-flow-box" style={style}>
        {text}
      </span>
    );
  return (
    <Link className="layer-flow-box" style={style} to="/lineage" search={{ q: schema }} title={schema}>
      {text}
    </Link>
  );
}

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
