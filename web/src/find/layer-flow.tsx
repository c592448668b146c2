import './layer-flow.css';
import { Link } from '@tanstack/react-router';
import { type Layer, layers, nameOf } from '../../../shared/contract/layers.ts';
import type { Overview } from '../api/queries.ts';
import { texts } from '../texts.ts';

/** A schema, or the smallest schemas of a layer together. */
type FlowBox = {
  readonly schemas: readonly number[];
  readonly name: string;
  readonly schema: string | null;
  readonly relations: number;
  /** Of the drawing's height and width. */
  readonly top: number;
  readonly height: number;
  readonly left: number;
};

type FlowColumn = { readonly layer: Layer; readonly relations: number; readonly boxes: readonly FlowBox[] };

const [height, gap, least] = [250, 7, 20];
/** Of the width. */
const boxWidth = 0.12;
const mostBoxes = 8;

/** Relations by layer and schema; the width of a band is the number of edges. A box opens the relations of its schema. */
export function LayerFlow({ overview }: { readonly overview: Overview }) {
  const columns = columnsOf(overview);
  return (
    <div className="layer-flow card">
      <header>
        <h2>{texts.start.glance}</h2>
        <p className="dim">{texts.start.glanceHow}</p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <section className="layer-flow-frame" tabIndex={0} aria-label={texts.start.glance}>
        <div className="layer-flow-drawing" style={{ height: height + 26 }}>
          <svg viewBox={`0 0 1000 ${height}`} preserveAspectRatio="none" aria-hidden="true">
            {bandsOf(overview, columns).map(({ key, layer, path }) => (
              <path key={key} data-layer={layer} d={path} />
            ))}
          </svg>
          {columns.map(({ layer, relations, boxes }) => (
            <div key={layer} data-layer={layer}>
              <span className="layer-flow-head" style={{ left: percent(boxes[0]?.left ?? 0) }}>
                {texts.layers[layer]} <b>{relations.toLocaleString()}</b>
              </span>
              {boxes.map((box) => (
                <BoxLink key={box.name} box={box} />
              ))}
            </div>
          ))}
        </div>
      </section>
    </div>
  );
}

function BoxLink({ box: { name, schema, relations, top, height: own, left } }: { readonly box: FlowBox }) {
  const style = { top: top + 26, height: own, left: percent(left), width: percent(boxWidth) };
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

/** The layers that have relations, each with its schemas from the largest on, as high as they are large. */
function columnsOf({ schemas }: Overview): FlowColumn[] {
  const names = Map.groupBy(schemas, ({ schema }) => nameOf(schema));
  const isAmbiguous = (schema: string) => (names.get(nameOf(schema))?.length ?? 0) > 1;
  const present = layers.filter((layer) => schemas.some((one) => one.layer === layer));
  return present.map((layer, at) => {
    const own = schemas.flatMap((one, index) => (one.layer === layer ? [{ ...one, index }] : []));
    const shown = own.length > mostBoxes ? own.slice(0, mostBoxes - 1) : own;
    const rest = own.slice(shown.length);
    const parts = shown.map(({ schema, relations, index }) => ({
      ...{ schemas: [index], schema, relations },
      name: isAmbiguous(schema) ? schema : nameOf(schema),
    }));
    const others = {
      schemas: rest.map(({ index }) => index),
      name: texts.start.moreSchemas(rest.length),
      schema: null,
      relations: sumOf(rest.map(({ relations }) => relations)),
    };
    const all = rest.length > 0 ? [...parts, others] : parts;
    return {
      layer,
      relations: sumOf(own.map(({ relations }) => relations)),
      boxes: placed(all, present.length > 1 ? (at / (present.length - 1)) * (1 - boxWidth) : 0),
    };
  });
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

function placed(parts: readonly Omit<FlowBox, 'top' | 'height' | 'left'>[], left: number): FlowBox[] {
  const room = height - gap * (parts.length - 1) - least * parts.length;
  const all = Math.max(1, sumOf(parts.map(({ relations }) => relations)));
  let top = 0;
  return parts.map((part) => {
    const own = least + (room * part.relations) / all;
    const box = { ...part, top, height: own, left };
    top += own + gap;
    return box;
  });
}

type Band = { readonly key: string; readonly layer: Layer; readonly path: string };

/** From the right side of a box to the left side of one further right, side by side in the order of their ends. */
function bandsOf({ flows }: Overview, columns: readonly FlowColumn[]): Band[] {
  const boxes = columns.flatMap(({ layer, boxes: own }) => own.map((box) => ({ ...box, layer })));
  const boxOf = new Map(boxes.flatMap((box) => box.schemas.map((schema) => [schema, box] as const)));
  const links = [
    ...Map.groupBy(
      flows.flatMap(({ upstream, downstream, edges }) => {
        const [from, to] = [boxOf.get(upstream), boxOf.get(downstream)];
        return from && to && from.left < to.left ? [{ from, to, edges }] : [];
      }),
      ({ from, to }) => `${from.layer} ${from.name} ${to.layer} ${to.name}`,
    ),
  ].flatMap(([key, own]) => {
    const [first] = own;
    return first ? [{ ...first, key, edges: sumOf(own.map(({ edges }) => edges)) }] : [];
  });
  const room = (side: 'from' | 'to') =>
    boxes.map((box) => box.height / Math.max(1, sumOf(links.filter((link) => link[side] === box).map((l) => l.edges))));
  const scale = Math.min(6, ...room('from'), ...room('to'));
  const used = new Map<string, number>();
  const take = (side: 'from' | 'to', box: FlowBox & { readonly layer: Layer }, width: number): number => {
    const key = `${side} ${box.layer} ${box.name}`;
    const total = scale * sumOf(links.filter((link) => link[side] === box).map(({ edges }) => edges));
    const start = used.get(key) ?? box.top + (box.height - total) / 2;
    used.set(key, start + width);
    return start;
  };
  const ordered = links.toSorted((a, b) => a.to.left - b.to.left || a.to.top - b.to.top || a.from.top - b.from.top);
  return ordered.map(({ key, from, to, edges }) => {
    const width = scale * edges;
    const [y1, y2] = [take('from', from, width), take('to', to, width)];
    const [x1, x2] = [1_000 * (from.left + boxWidth), 1_000 * to.left];
    const middle = (x1 + x2) / 2;
    const path = `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}v${width}C${middle} ${y2 + width} ${middle} ${y1 + width} ${x1} ${y1 + width}z`;
    return { key, layer: from.layer, path };
  });
}
